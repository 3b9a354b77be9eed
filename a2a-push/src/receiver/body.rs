use std::future::poll_fn;
use std::pin::Pin;

use axum::body::{Body, HttpBody as _};

use super::Rejection;

/// All of a body that has `most` bytes at most.
pub(super) async fn read(mut body: Body, most: usize) -> Result<Vec<u8>, Rejection> {
    let announced = usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX);
    if announced > most {
        return Err(Rejection::too_large());
    }
    let mut bytes = Vec::new();
    while let Some(frame) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {
        let frame = frame.map_err(|_| Rejection::malformed("the body breaks off"))?;
        let Ok(data) = frame.into_data() else {
            continue;
        };
        if data.len() > most - bytes.len() {
            return Err(Rejection::too_large());
        }
        bytes.extend_from_slice(&data);
    }
    Ok(bytes)
}
