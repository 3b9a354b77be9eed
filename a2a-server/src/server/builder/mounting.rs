//! What is served where.

use super::ServerBuilder;
use crate::context::Binding;
use crate::server::mount::{Mount, Place};
use crate::server::{BuildError, MountedBinding};

impl ServerBuilder {
    /// Serves a binding at a path; the order of the calls is the card's order of preference.
    /// Without any call JSON-RPC and HTTP+JSON are both served at `/`.
    pub fn mount(mut self, binding: Binding, path: impl Into<String>) -> Self {
        self.mounts.push(Mount::at(binding, path));
        self
    }

    /// Serves a binding that another crate brings, on paths of its own. With `a2a-grpc` write
    /// `.grpc(Grpc::new())`.
    ///
    /// It does not replace JSON-RPC and HTTP+JSON: where nothing else is mounted they are served
    /// as always, and come first in the card; [`only_mounted`](Self::only_mounted) changes that.
    pub fn mount_binding(mut self, binding: impl MountedBinding) -> Self {
        self.mounts.push(Mount::own(binding));
        self
    }

    /// Serves nothing but what is mounted: the way to a server that speaks gRPC alone. Its card is
    /// served over HTTP all the same.
    pub fn only_mounted(self) -> Self {
        Self {
            only_mounted: true,
            ..self
        }
    }

    /// Serves TLS, version 1.2 and later, for HTTP/1.1 and HTTP/2. For servers that listen
    /// themselves; the agent card then names `https` addresses.
    #[cfg(feature = "tls")]
    pub fn tls(self, tls: crate::server::Tls) -> Self {
        Self {
            tls: Some(tls),
            ..self
        }
    }
}

/// The mounts that were asked for, or those by default, with their paths in one form: empty for
/// the root, else `/path`.
pub(super) fn mounts(
    given: Vec<Mount>,
    only_mounted: bool,
    public_url: Option<&str>,
) -> Result<Vec<Mount>, BuildError> {
    let mut mounts: Vec<Mount> = Vec::new();
    let by_path = given.iter().any(|m| matches!(m.place, Place::Path(_)));
    if !by_path && !only_mounted {
        mounts.push(Mount::at(Binding::JsonRpc, ""));
        mounts.push(Mount::at(Binding::HttpJson, ""));
    }
    for mut mount in given {
        let name = mount.binding.name();
        match &mut mount.place {
            Place::Path(path) => {
                if !matches!(mount.binding, Binding::JsonRpc | Binding::HttpJson) {
                    return Err(BuildError::new(format!(
                        "{name} cannot be mounted at an HTTP path"
                    )));
                }
                *path = path.trim_end_matches('/').to_owned();
                let odd = !path.starts_with('/') || path.contains(['{', '}', '?', '#', '*']);
                if !path.is_empty() && odd {
                    let problem = format!("`{path}` is no path for {name}: write it like `/agent`");
                    return Err(BuildError::new(problem));
                }
            }
            Place::Own(own) => own.service.check(public_url)?,
        }
        for known in &mounts {
            if known.binding == mount.binding {
                return Err(BuildError::new(format!("{name} is mounted twice")));
            }
            let (Place::Path(known), Place::Path(path)) = (&known.place, &mount.place) else {
                continue;
            };
            if known == path && !path.is_empty() {
                let problem = format!("{name} shares the path `{path}` with another binding");
                return Err(BuildError::new(problem));
            }
        }
        mounts.push(mount);
    }
    if mounts.is_empty() {
        return Err(BuildError::new("nothing is mounted"));
    }
    Ok(mounts)
}
