//! Who calls, and whose tasks are whose: the crates leave both to the user.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use a2a::A2AError;
use a2a_server::ServiceParams;
use axum::{
    extract::Request,
    http::{StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};

use crate::options::Options;

const REFUSAL: &str =
    r#"{"error":{"code":401,"status":"UNAUTHENTICATED","message":"who are you?"}}"#;

pub struct Callers {
    tokens: Option<HashMap<String, String>>,
    /// The owner of each task.
    owners: Mutex<HashMap<String, String>>,
}

impl Callers {
    pub fn new(options: &Options) -> Arc<Self> {
        Arc::new(Self {
            tokens: options.tokens.clone(),
            owners: Mutex::default(),
        })
    }

    /// The name of who sent this header; nobody has to have one when there are no tokens.
    fn name(&self, header: Option<&str>) -> Option<&str> {
        match &self.tokens {
            None => Some(""),
            Some(tokens) => tokens
                .get(header?.strip_prefix("Bearer ")?)
                .map(String::as_str),
        }
    }

    fn name_in(&self, params: &ServiceParams) -> Option<&str> {
        let header = params
            .get("authorization")
            .and_then(|values| values.first());
        self.name(header.map(String::as_str))
    }

    /// Lets only those with a token through.
    pub fn admit(&self, request: tonic::Request<()>) -> Result<tonic::Request<()>, tonic::Status> {
        let header = request.metadata().get("authorization");
        match self.name(header.and_then(|value| value.to_str().ok())) {
            Some(_) => Ok(request),
            None => Err(tonic::Status::unauthenticated("who are you?")),
        }
    }

    /// Gives a new task to its caller.
    pub fn own(&self, task: &str, params: &ServiceParams) {
        let name = self.name_in(params).unwrap_or_default().to_owned();
        self.owners.lock().unwrap().insert(task.to_owned(), name);
    }

    /// Hides the tasks of the others.
    pub fn authorize(&self, params: &ServiceParams, task: Option<&str>) -> Result<(), A2AError> {
        let Some(task) = task else { return Ok(()) };
        let owners = self.owners.lock().unwrap();
        let owner = owners.get(task).map(String::as_str);
        match owner.is_none() || owner == self.name_in(params) {
            true => Ok(()),
            false => Err(A2AError::task_not_found(task)),
        }
    }
}

/// Lets only those with a token through.
pub async fn guard(callers: Arc<Callers>, request: Request, next: Next) -> Response {
    let header = request.headers().get(header::AUTHORIZATION);
    match callers.name(header.and_then(|value| value.to_str().ok())) {
        Some(_) => next.run(request).await,
        None => {
            let headers = [
                (header::WWW_AUTHENTICATE, "Bearer"),
                (header::CONTENT_TYPE, "application/json"),
            ];
            (StatusCode::UNAUTHORIZED, headers, REFUSAL).into_response()
        }
    }
}
