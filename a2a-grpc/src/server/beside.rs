//! The services that stand beside that of the agent.

use std::sync::OnceLock;

use a2a_server::binding::HttpAnswer;
use axum::Router;
use axum::extract::Request;
use tonic::server::NamedService;
use tower_service::Service;

/// Health and reflection, as far as they are wanted.
#[derive(Clone, Default)]
pub(super) struct Beside {
    #[cfg(feature = "health")]
    health: Option<tonic_health::server::HealthReporter>,
    #[cfg(feature = "reflection")]
    reflection: bool,
    /// Their names and their routes, once all are known.
    services: OnceLock<(Vec<String>, Router)>,
}

impl Beside {
    #[cfg(feature = "health")]
    pub(super) fn add_health(&mut self) {
        let reporter = tonic_health::server::HealthReporter::new();
        // Nobody else has it yet, so nothing is waited for.
        let serving = reporter.set_serving::<super::GrpcService>();
        let _ = futures::FutureExt::now_or_never(serving);
        self.health = Some(reporter);
    }

    #[cfg(feature = "reflection")]
    pub(super) fn add_reflection(&mut self) {
        self.reflection = true;
    }

    /// Tells those who watch the health.
    #[cfg(feature = "health")]
    pub(super) fn stopping(&self) {
        use tonic_health::ServingStatus::NotServing;
        if let Some(reporter) = self.health.clone() {
            tokio::spawn(async move {
                reporter.set_service_status("", NotServing).await;
                reporter.set_not_serving::<super::GrpcService>().await;
            });
        }
    }

    pub(super) fn names(&self) -> &[String] {
        &self.services().0
    }

    pub(super) fn owns(&self, request: &Request) -> bool {
        let mut names = self.names().iter();
        names.any(|name| super::grpc::belongs_to(name, request))
    }

    pub(super) fn answer(&self, request: Request) -> HttpAnswer {
        Box::pin(self.services().1.clone().call(request))
    }

    fn services(&self) -> &(Vec<String>, Router) {
        self.services.get_or_init(|| {
            let mut services = (Vec::new(), Router::new());
            #[cfg(feature = "health")]
            if let Some(reporter) = self.health.clone() {
                use tonic_health::{pb::health_server::HealthServer, server::HealthService};
                let health = HealthService::from_health_reporter(reporter);
                add(&mut services, HealthServer::new(health));
            }
            #[cfg(feature = "reflection")]
            if self.reflection {
                // The descriptors are made with this crate and are sound.
                if let Ok(reflection) = self.descriptors().build_v1() {
                    add(&mut services, reflection);
                }
                if let Ok(reflection) = self.descriptors().build_v1alpha() {
                    add(&mut services, reflection);
                }
            }
            services
        })
    }

    #[cfg(feature = "reflection")]
    fn descriptors(&self) -> tonic_reflection::server::Builder<'static> {
        let builder = tonic_reflection::server::Builder::configure()
            .register_encoded_file_descriptor_set(crate::FILE_DESCRIPTOR_SET);
        #[cfg(feature = "health")]
        if self.health.is_some() {
            return builder
                .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET);
        }
        builder
    }
}

fn add<S>(services: &mut (Vec<String>, Router), service: S)
where
    S: Service<Request, Error = std::convert::Infallible>
        + NamedService
        + Clone
        + Send
        + Sync
        + 'static,
    S::Response: axum::response::IntoResponse,
    S::Future: Send + 'static,
{
    let (names, router) = services;
    names.push(S::NAME.to_owned());
    let path = format!("/{}/{{*method}}", S::NAME);
    *router = std::mem::take(router).route_service(&path, service);
}
