//! Errors as gRPC statuses and back (A2A §10.6).

use a2a_types::A2aError;
use tonic::{Code, Status};

/// The status that carries this error: its code (A2A §5.4), its text, and in its details
/// `ErrorInfo`, `BadRequest` and `RetryInfo` as far as the error has them.
///
/// ```
/// use a2a_grpc::{from_status, to_status};
/// use a2a_types::{A2aError, ErrorKind};
///
/// let status = to_status(&A2aError::task_not_found("t-42"));
/// assert_eq!(status.code(), tonic::Code::NotFound);
/// assert_eq!(from_status(&status).kind(), ErrorKind::TaskNotFound);
/// ```
#[must_use]
pub fn to_status(error: &A2aError) -> Status {
    let error = error.to_grpc();
    Status::with_details(
        Code::from_i32(error.code),
        error.message,
        error.details.into(),
    )
}

/// The error that a status carries: by the reason in its details, else by a code that leaves no
/// doubt.
#[must_use]
pub fn from_status(status: &Status) -> A2aError {
    A2aError::from_grpc(i32::from(status.code()), status.message(), status.details())
}
