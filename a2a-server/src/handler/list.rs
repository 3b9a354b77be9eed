use std::sync::Arc;

use a2a_types::projection::Artifacts;
use a2a_types::store::{Cursor, ListQuery, TaskPage};
use a2a_types::{A2aError, ListTasksRequest, ListTasksResponse, TaskState, Timestamp};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};

use super::history;

/// What a page token holds. Opaque to clients, who only hand it back.
#[derive(Serialize, Deserialize)]
struct Token {
    /// Seconds and nanoseconds of the status timestamp.
    t: (i64, i32),
    /// The id of the last task of the page.
    i: String,
    /// What the filters were: a token is good for the list that it came from.
    f: String,
}

pub(super) fn query(
    request: &ListTasksRequest,
    default_page: usize,
) -> Result<ListQuery, A2aError> {
    let size = request
        .page_size
        .and_then(|size| usize::try_from(size).ok());
    let mut query = ListQuery::new(size.unwrap_or(default_page));
    query.context_id = Some(request.context_id.clone()).filter(|id| !id.is_empty());
    query.status = Some(request.status()).filter(|state| *state != TaskState::Unspecified);
    query.updated_since = request.status_timestamp_after;
    query.history = history(request.history_length, "historyLength")?;
    query.artifacts = Artifacts::from(request.include_artifacts);
    if !request.page_token.is_empty() {
        query.after = Some(cursor(request).ok_or_else(|| {
            let text =
                "is not a page token of this list; leave it out to start from the first page";
            A2aError::invalid_param("pageToken", text)
        })?);
    }
    Ok(query)
}

pub(super) fn response(
    request: &ListTasksRequest,
    page_size: usize,
    page: TaskPage,
) -> ListTasksResponse {
    let number = |value| i32::try_from(value).unwrap_or(i32::MAX);
    ListTasksResponse::default()
        .with_next_page_token(
            page.next
                .map(|next| token(request, next))
                .unwrap_or_default(),
        )
        .with_page_size(number(page_size))
        .with_total_size(number(page.total))
        .with_tasks(page.tasks.into_iter().map(Arc::unwrap_or_clone))
}

fn token(request: &ListTasksRequest, next: Cursor) -> String {
    let at = (next.timestamp.seconds, next.timestamp.nanos);
    let token = Token {
        t: at,
        i: next.id,
        f: filters(request),
    };
    URL_SAFE_NO_PAD.encode(serde_json::to_vec(&token).unwrap_or_default())
}

fn cursor(request: &ListTasksRequest) -> Option<Cursor> {
    let bytes = URL_SAFE_NO_PAD.decode(&request.page_token).ok()?;
    let token: Token = serde_json::from_slice(&bytes).ok()?;
    let (seconds, nanos) = token.t;
    (token.f == filters(request)).then_some(Cursor {
        timestamp: Timestamp { seconds, nanos },
        id: token.i,
    })
}

/// The filters in one line. Page size and projection may change from page to page.
fn filters(request: &ListTasksRequest) -> String {
    let since = request.status_timestamp_after.map(|t| (t.seconds, t.nanos));
    serde_json::to_string(&(&request.context_id, request.status, since)).unwrap_or_default()
}
