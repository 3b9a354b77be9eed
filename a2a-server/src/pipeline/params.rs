use a2a_types::operation::{Operation, Request, Wire};
use a2a_types::{A2aError, FieldViolation, json};
use bytes::Bytes;

use super::Capabilities;
use super::check::Rules;
use super::incoming::Params;
use crate::limits::Limits;

/// Reads the parameters and reports everything that is wrong with them at once (A2A §3.3.2). A
/// value of the wrong JSON type stands alone: what follows it is not read.
///
/// A webhook that comes along needs a capability. It is missed as soon as the webhook can be seen,
/// before anything else of the request matters (A2A §3.3.4).
pub(super) fn read<O: Operation>(
    params: Params,
    capabilities: Capabilities,
    limits: &Limits,
) -> Result<Box<O::Request>, A2aError>
where
    O::Request: Rules,
{
    let mut violations = Vec::new();
    // Boxed: it is handed on by value through several functions.
    let request: Box<O::Request> = match params {
        Params::Json(None) => Box::default(),
        Params::Json(Some(params)) => Box::new(read_object(&params)?),
        Params::Http { body, query, path } => {
            let mut request: O::Request = match body.filter(|body| !is_blank(body)) {
                Some(body) => read_object(&body)?,
                None => {
                    let (request, wrong) = json::read_query(&query);
                    violations = wrong;
                    request
                }
            };
            for (name, value) in path {
                violations.extend(bind(&mut request, name, value));
            }
            Box::new(request)
        }
        Params::Unreadable(error) => return Err(error),
        Params::Typed(request) => request
            .downcast()
            .map_err(|_| A2aError::internal("the request is of another operation"))?,
    };
    if request.has_webhook() && !capabilities.push_notifications {
        return Err(A2aError::push_not_supported());
    }
    // A parameter that could not be read is absent now; that is not a second mistake.
    let missing: Vec<_> = O::check(&request)
        .into_iter()
        .filter(|violation| {
            violations
                .iter()
                .all(|known| known.field != violation.field)
        })
        .collect();
    violations.extend(missing);
    request.rules(limits, &mut violations);
    if violations.is_empty() {
        Ok(request)
    } else {
        Err(A2aError::invalid_params(violations))
    }
}

/// The codecs have found out that the text is JSON.
fn read_object<T: Wire>(json: &[u8]) -> Result<T, A2aError> {
    json::from_slice(json).map_err(|error| A2aError::invalid_params([error.into_violation()]))
}

/// `null` and nothing both stand for an empty object; peers send either.
fn is_blank(body: &Bytes) -> bool {
    matches!(body.trim_ascii(), b"" | b"null")
}

/// Sets a field from the path. The body may repeat it, but not differ.
fn bind<R: Request>(request: &mut R, name: &str, value: String) -> Option<FieldViolation> {
    let field = R::FIELDS.iter().find(|field| field.name == name)?;
    let slot = request.path_field(name)?;
    if !slot.is_empty() && *slot != value {
        let description = "differs from the value in the path";
        return Some(FieldViolation::new(field.json_name, description));
    }
    *slot = value;
    None
}
