//! The options of the command line.

use std::num::NonZeroU16;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

pub(crate) const USAGE: &str = "\
usage: conformance [OPTION]...

  --port N                          serve on 127.0.0.1:N (9999)
  --httpPort N                      the same
  --grpc-port N                     serve gRPC on a port of its own (it shares --port)
  --grpcPort N                      the same
  --store memory | sqlite:PATH      where tasks and webhooks are kept
  --pace SECONDS                    time between two chunks of a slow task (0.4)
  --bare                            offer no streaming, push notifications or extended card
  --require-extension URI           refuse messages that do not declare the extension
  --auth none | bearer:TOKEN=NAME,…  who may call
  --allow-anonymous-extended-card   offer the extended card to everybody
  --default-webhook-guard           call webhooks on public addresses alone, as the library does
  --broken                          declare an extended card that is not set up, and give no message
                                    the answer that was announced
";

const DEFAULT_PORT: NonZeroU16 = NonZeroU16::new(9999).unwrap();

/// What the command line asks for.
pub(crate) struct Options {
    pub(crate) port: NonZeroU16,
    /// That of gRPC, when it is another one.
    pub(crate) grpc_port: Option<NonZeroU16>,
    pub(crate) pace: Duration,
    /// The SQLite database; none: everything is kept in memory.
    pub(crate) database: Option<PathBuf>,
    pub(crate) bare: bool,
    pub(crate) required_extension: Option<String>,
    /// Bearer tokens and whom they stand for; none: everybody may call.
    pub(crate) tokens: Option<Vec<(String, String)>>,
    pub(crate) anonymous_extended_card: bool,
    pub(crate) default_webhook_guard: bool,
    /// Whether the agent is at fault, to show the errors that say so.
    pub(crate) broken: bool,
}

impl Options {
    /// Reads the arguments; the error says what is wrong with them.
    pub(crate) fn parse(arguments: impl IntoIterator<Item = String>) -> Result<Self, String> {
        let mut options = Self {
            port: DEFAULT_PORT,
            grpc_port: None,
            pace: Duration::from_millis(400),
            database: None,
            bare: false,
            required_extension: None,
            tokens: None,
            anonymous_extended_card: false,
            default_webhook_guard: false,
            broken: false,
        };
        let mut arguments = arguments.into_iter();
        while let Some(name) = arguments.next() {
            let mut value = || {
                arguments
                    .next()
                    .ok_or_else(|| format!("{name} needs a value"))
            };
            match name.as_str() {
                "--port" | "--httpPort" => options.port = number(&name, &value()?)?,
                "--grpc-port" | "--grpcPort" => {
                    options.grpc_port = Some(number(&name, &value()?)?);
                }
                "--pace" => {
                    options.pace = Duration::try_from_secs_f64(number(&name, &value()?)?)
                        .map_err(|error| format!("{name}: {error}"))?;
                }
                "--store" => options.database = database(&value()?)?,
                "--bare" => options.bare = true,
                "--require-extension" => options.required_extension = Some(value()?),
                "--auth" => options.tokens = tokens(&value()?)?,
                "--allow-anonymous-extended-card" => options.anonymous_extended_card = true,
                "--default-webhook-guard" => options.default_webhook_guard = true,
                "--broken" => options.broken = true,
                _ => return Err(format!("unknown option {name:?}")),
            }
        }
        Ok(options)
    }

    /// Whether the agent declares an extended card.
    pub(crate) fn extended_card(&self) -> bool {
        !self.bare && (self.tokens.is_some() || self.anonymous_extended_card)
    }
}

fn number<T: FromStr>(name: &str, value: &str) -> Result<T, String>
where
    T::Err: std::fmt::Display,
{
    value
        .parse()
        .map_err(|error| format!("{name} {value:?}: {error}"))
}

/// `memory`, or `sqlite:PATH`.
fn database(value: &str) -> Result<Option<PathBuf>, String> {
    if value == "memory" {
        return Ok(None);
    }
    value
        .strip_prefix("sqlite:")
        .map(|path| Some(path.into()))
        .ok_or_else(|| format!("--store {value:?}: neither memory nor sqlite:PATH"))
}

/// `none`, or `bearer:TOKEN=NAME` with more such pairs after commas.
fn tokens(value: &str) -> Result<Option<Vec<(String, String)>>, String> {
    if value == "none" {
        return Ok(None);
    }
    value
        .strip_prefix("bearer:")
        .and_then(|pairs| pairs.split(',').map(pair).collect())
        .map(Some)
        .ok_or_else(|| format!("--auth {value:?}: neither none nor bearer:TOKEN=NAME,…"))
}

fn pair(text: &str) -> Option<(String, String)> {
    // A token may end in `=`, a name does not.
    let (token, name) = text.rsplit_once('=')?;
    (!token.is_empty() && !name.is_empty()).then(|| (token.to_owned(), name.to_owned()))
}
