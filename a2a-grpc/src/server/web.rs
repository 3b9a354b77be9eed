//! gRPC-Web: the frames of gRPC in what a browser can send and read.

use a2a_server::binding::HttpAnswer;
use axum::body::Body;
use axum::extract::Request;
use http::HeaderValue;
use http::header::CONTENT_TYPE;
use tonic_web::GrpcWebLayer;
use tower_layer::Layer;
use tower_service::Service;

use super::service::GrpcService;

pub(super) fn is_web(request: &Request) -> bool {
    let content_type = request.headers().get(CONTENT_TYPE);
    let content_type = content_type.map(HeaderValue::as_bytes);
    content_type.is_some_and(|value| value.starts_with(b"application/grpc-web"))
}

pub(super) fn answer(service: GrpcService, request: Request) -> HttpAnswer {
    let mut service = GrpcWebLayer::new().layer(service);
    Box::pin(async move { Ok(service.call(request).await?.map(Body::new)) })
}
