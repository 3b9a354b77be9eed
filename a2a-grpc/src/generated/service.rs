// Generated from proto/a2a.proto by `cargo run -p a2a-codegen`. Do not edit.

/// Generated client implementations.
#[cfg(feature = "client")]
pub mod a2a_service_client {
    #![allow(
        unused_variables,
        dead_code,
        missing_docs,
        clippy::wildcard_imports,
        clippy::let_unit_value,
    )]
    use tonic::codegen::*;
    use tonic::codegen::http::Uri;
    /// What an agent offers to its callers.
    #[derive(Debug, Clone)]
    pub struct A2aServiceClient<T> {
        inner: tonic::client::Grpc<T>,
    }
    impl<T> A2aServiceClient<T>
    where
        T: tonic::client::GrpcService<tonic::body::Body>,
        T::Error: Into<StdError>,
        T::ResponseBody: Body<Data = Bytes> + std::marker::Send + 'static,
        <T::ResponseBody as Body>::Error: Into<StdError> + std::marker::Send,
    {
        pub fn new(inner: T) -> Self {
            let inner = tonic::client::Grpc::new(inner);
            Self { inner }
        }
        pub fn with_origin(inner: T, origin: Uri) -> Self {
            let inner = tonic::client::Grpc::with_origin(inner, origin);
            Self { inner }
        }
        pub fn with_interceptor<F>(
            inner: T,
            interceptor: F,
        ) -> A2aServiceClient<InterceptedService<T, F>>
        where
            F: tonic::service::Interceptor,
            T::ResponseBody: Default,
            T: tonic::codegen::Service<
                http::Request<tonic::body::Body>,
                Response = http::Response<
                    <T as tonic::client::GrpcService<tonic::body::Body>>::ResponseBody,
                >,
            >,
            <T as tonic::codegen::Service<
                http::Request<tonic::body::Body>,
            >>::Error: Into<StdError> + std::marker::Send + std::marker::Sync,
        {
            A2aServiceClient::new(InterceptedService::new(inner, interceptor))
        }
        /// Compress requests with the given encoding.
        ///
        /// This requires the server to support it otherwise it might respond with an
        /// error.
        #[must_use]
        pub fn send_compressed(mut self, encoding: CompressionEncoding) -> Self {
            self.inner = self.inner.send_compressed(encoding);
            self
        }
        /// Enable decompressing responses.
        #[must_use]
        pub fn accept_compressed(mut self, encoding: CompressionEncoding) -> Self {
            self.inner = self.inner.accept_compressed(encoding);
            self
        }
        /// Limits the maximum size of a decoded message.
        ///
        /// Default: `4MB`
        #[must_use]
        pub fn max_decoding_message_size(mut self, limit: usize) -> Self {
            self.inner = self.inner.max_decoding_message_size(limit);
            self
        }
        /// Limits the maximum size of an encoded message.
        ///
        /// Default: `usize::MAX`
        #[must_use]
        pub fn max_encoding_message_size(mut self, limit: usize) -> Self {
            self.inner = self.inner.max_encoding_message_size(limit);
            self
        }
        /// Sends a message to the agent and answers with the task that it started or continued, or with a
        /// direct reply.
        pub async fn send_message(
            &mut self,
            request: impl tonic::IntoRequest<::a2a_types::SendMessageRequest>,
        ) -> std::result::Result<
            tonic::Response<::a2a_types::SendMessageResponse>,
            tonic::Status,
        > {
            self.inner
                .ready()
                .await
                .map_err(|e| {
                    tonic::Status::unknown(
                        format!("Service was not ready: {}", e.into()),
                    )
                })?;
            let codec = tonic_prost::ProstCodec::default();
            let path = http::uri::PathAndQuery::from_static(
                "/lf.a2a.v1.A2AService/SendMessage",
            );
            let mut req = request.into_request();
            req.extensions_mut()
                .insert(GrpcMethod::new("lf.a2a.v1.A2AService", "SendMessage"));
            self.inner.unary(req, path, codec).await
        }
        /// Sends a message and streams what happens to its task until the agent needs the caller or is
        /// done.
        pub async fn send_streaming_message(
            &mut self,
            request: impl tonic::IntoRequest<::a2a_types::SendMessageRequest>,
        ) -> std::result::Result<
            tonic::Response<tonic::codec::Streaming<::a2a_types::StreamResponse>>,
            tonic::Status,
        > {
            self.inner
                .ready()
                .await
                .map_err(|e| {
                    tonic::Status::unknown(
                        format!("Service was not ready: {}", e.into()),
                    )
                })?;
            let codec = tonic_prost::ProstCodec::default();
            let path = http::uri::PathAndQuery::from_static(
                "/lf.a2a.v1.A2AService/SendStreamingMessage",
            );
            let mut req = request.into_request();
            req.extensions_mut()
                .insert(GrpcMethod::new("lf.a2a.v1.A2AService", "SendStreamingMessage"));
            self.inner.server_streaming(req, path, codec).await
        }
        /// Reads a task.
        pub async fn get_task(
            &mut self,
            request: impl tonic::IntoRequest<::a2a_types::GetTaskRequest>,
        ) -> std::result::Result<tonic::Response<::a2a_types::Task>, tonic::Status> {
            self.inner
                .ready()
                .await
                .map_err(|e| {
                    tonic::Status::unknown(
                        format!("Service was not ready: {}", e.into()),
                    )
                })?;
            let codec = tonic_prost::ProstCodec::default();
            let path = http::uri::PathAndQuery::from_static(
                "/lf.a2a.v1.A2AService/GetTask",
            );
            let mut req = request.into_request();
            req.extensions_mut()
                .insert(GrpcMethod::new("lf.a2a.v1.A2AService", "GetTask"));
            self.inner.unary(req, path, codec).await
        }
        /// Lists the tasks that the caller may see, newest status first, page by page.
        pub async fn list_tasks(
            &mut self,
            request: impl tonic::IntoRequest<::a2a_types::ListTasksRequest>,
        ) -> std::result::Result<
            tonic::Response<::a2a_types::ListTasksResponse>,
            tonic::Status,
        > {
            self.inner
                .ready()
                .await
                .map_err(|e| {
                    tonic::Status::unknown(
                        format!("Service was not ready: {}", e.into()),
                    )
                })?;
            let codec = tonic_prost::ProstCodec::default();
            let path = http::uri::PathAndQuery::from_static(
                "/lf.a2a.v1.A2AService/ListTasks",
            );
            let mut req = request.into_request();
            req.extensions_mut()
                .insert(GrpcMethod::new("lf.a2a.v1.A2AService", "ListTasks"));
            self.inner.unary(req, path, codec).await
        }
        /// Asks the agent to stop working on a task.
        pub async fn cancel_task(
            &mut self,
            request: impl tonic::IntoRequest<::a2a_types::CancelTaskRequest>,
        ) -> std::result::Result<tonic::Response<::a2a_types::Task>, tonic::Status> {
            self.inner
                .ready()
                .await
                .map_err(|e| {
                    tonic::Status::unknown(
                        format!("Service was not ready: {}", e.into()),
                    )
                })?;
            let codec = tonic_prost::ProstCodec::default();
            let path = http::uri::PathAndQuery::from_static(
                "/lf.a2a.v1.A2AService/CancelTask",
            );
            let mut req = request.into_request();
            req.extensions_mut()
                .insert(GrpcMethod::new("lf.a2a.v1.A2AService", "CancelTask"));
            self.inner.unary(req, path, codec).await
        }
        /// Streams the updates of a task that is not finished, starting with its present state.
        pub async fn subscribe_to_task(
            &mut self,
            request: impl tonic::IntoRequest<::a2a_types::SubscribeToTaskRequest>,
        ) -> std::result::Result<
            tonic::Response<tonic::codec::Streaming<::a2a_types::StreamResponse>>,
            tonic::Status,
        > {
            self.inner
                .ready()
                .await
                .map_err(|e| {
                    tonic::Status::unknown(
                        format!("Service was not ready: {}", e.into()),
                    )
                })?;
            let codec = tonic_prost::ProstCodec::default();
            let path = http::uri::PathAndQuery::from_static(
                "/lf.a2a.v1.A2AService/SubscribeToTask",
            );
            let mut req = request.into_request();
            req.extensions_mut()
                .insert(GrpcMethod::new("lf.a2a.v1.A2AService", "SubscribeToTask"));
            self.inner.server_streaming(req, path, codec).await
        }
        /// Registers a webhook that is told about every update of a task.
        pub async fn create_task_push_notification_config(
            &mut self,
            request: impl tonic::IntoRequest<::a2a_types::TaskPushNotificationConfig>,
        ) -> std::result::Result<
            tonic::Response<::a2a_types::TaskPushNotificationConfig>,
            tonic::Status,
        > {
            self.inner
                .ready()
                .await
                .map_err(|e| {
                    tonic::Status::unknown(
                        format!("Service was not ready: {}", e.into()),
                    )
                })?;
            let codec = tonic_prost::ProstCodec::default();
            let path = http::uri::PathAndQuery::from_static(
                "/lf.a2a.v1.A2AService/CreateTaskPushNotificationConfig",
            );
            let mut req = request.into_request();
            req.extensions_mut()
                .insert(
                    GrpcMethod::new(
                        "lf.a2a.v1.A2AService",
                        "CreateTaskPushNotificationConfig",
                    ),
                );
            self.inner.unary(req, path, codec).await
        }
        /// Reads one webhook registration of a task.
        pub async fn get_task_push_notification_config(
            &mut self,
            request: impl tonic::IntoRequest<
                ::a2a_types::GetTaskPushNotificationConfigRequest,
            >,
        ) -> std::result::Result<
            tonic::Response<::a2a_types::TaskPushNotificationConfig>,
            tonic::Status,
        > {
            self.inner
                .ready()
                .await
                .map_err(|e| {
                    tonic::Status::unknown(
                        format!("Service was not ready: {}", e.into()),
                    )
                })?;
            let codec = tonic_prost::ProstCodec::default();
            let path = http::uri::PathAndQuery::from_static(
                "/lf.a2a.v1.A2AService/GetTaskPushNotificationConfig",
            );
            let mut req = request.into_request();
            req.extensions_mut()
                .insert(
                    GrpcMethod::new(
                        "lf.a2a.v1.A2AService",
                        "GetTaskPushNotificationConfig",
                    ),
                );
            self.inner.unary(req, path, codec).await
        }
        /// Lists the webhook registrations of a task.
        pub async fn list_task_push_notification_configs(
            &mut self,
            request: impl tonic::IntoRequest<
                ::a2a_types::ListTaskPushNotificationConfigsRequest,
            >,
        ) -> std::result::Result<
            tonic::Response<::a2a_types::ListTaskPushNotificationConfigsResponse>,
            tonic::Status,
        > {
            self.inner
                .ready()
                .await
                .map_err(|e| {
                    tonic::Status::unknown(
                        format!("Service was not ready: {}", e.into()),
                    )
                })?;
            let codec = tonic_prost::ProstCodec::default();
            let path = http::uri::PathAndQuery::from_static(
                "/lf.a2a.v1.A2AService/ListTaskPushNotificationConfigs",
            );
            let mut req = request.into_request();
            req.extensions_mut()
                .insert(
                    GrpcMethod::new(
                        "lf.a2a.v1.A2AService",
                        "ListTaskPushNotificationConfigs",
                    ),
                );
            self.inner.unary(req, path, codec).await
        }
        /// Reads the card that the agent shows to authenticated callers.
        pub async fn get_extended_agent_card(
            &mut self,
            request: impl tonic::IntoRequest<::a2a_types::GetExtendedAgentCardRequest>,
        ) -> std::result::Result<
            tonic::Response<::a2a_types::AgentCard>,
            tonic::Status,
        > {
            self.inner
                .ready()
                .await
                .map_err(|e| {
                    tonic::Status::unknown(
                        format!("Service was not ready: {}", e.into()),
                    )
                })?;
            let codec = tonic_prost::ProstCodec::default();
            let path = http::uri::PathAndQuery::from_static(
                "/lf.a2a.v1.A2AService/GetExtendedAgentCard",
            );
            let mut req = request.into_request();
            req.extensions_mut()
                .insert(GrpcMethod::new("lf.a2a.v1.A2AService", "GetExtendedAgentCard"));
            self.inner.unary(req, path, codec).await
        }
        /// Removes a webhook registration. Removing one that does not exist succeeds.
        pub async fn delete_task_push_notification_config(
            &mut self,
            request: impl tonic::IntoRequest<
                ::a2a_types::DeleteTaskPushNotificationConfigRequest,
            >,
        ) -> std::result::Result<tonic::Response<::a2a_types::Empty>, tonic::Status> {
            self.inner
                .ready()
                .await
                .map_err(|e| {
                    tonic::Status::unknown(
                        format!("Service was not ready: {}", e.into()),
                    )
                })?;
            let codec = tonic_prost::ProstCodec::default();
            let path = http::uri::PathAndQuery::from_static(
                "/lf.a2a.v1.A2AService/DeleteTaskPushNotificationConfig",
            );
            let mut req = request.into_request();
            req.extensions_mut()
                .insert(
                    GrpcMethod::new(
                        "lf.a2a.v1.A2AService",
                        "DeleteTaskPushNotificationConfig",
                    ),
                );
            self.inner.unary(req, path, codec).await
        }
    }
}
/// Generated server implementations.
#[cfg(feature = "server")]
pub mod a2a_service_server {
    #![allow(
        unused_variables,
        dead_code,
        missing_docs,
        clippy::wildcard_imports,
        clippy::let_unit_value,
    )]
    use tonic::codegen::*;
    /// Generated trait containing gRPC methods that should be implemented for use with A2aServiceServer.
    #[async_trait]
    pub trait A2aService: std::marker::Send + std::marker::Sync + 'static {
        /// Sends a message to the agent and answers with the task that it started or continued, or with a
        /// direct reply.
        async fn send_message(
            &self,
            request: tonic::Request<::a2a_types::SendMessageRequest>,
        ) -> std::result::Result<
            tonic::Response<::a2a_types::SendMessageResponse>,
            tonic::Status,
        >;
        /// Server streaming response type for the SendStreamingMessage method.
        type SendStreamingMessageStream: tonic::codegen::tokio_stream::Stream<
                Item = std::result::Result<::a2a_types::StreamResponse, tonic::Status>,
            >
            + std::marker::Send
            + 'static;
        /// Sends a message and streams what happens to its task until the agent needs the caller or is
        /// done.
        async fn send_streaming_message(
            &self,
            request: tonic::Request<::a2a_types::SendMessageRequest>,
        ) -> std::result::Result<
            tonic::Response<Self::SendStreamingMessageStream>,
            tonic::Status,
        >;
        /// Reads a task.
        async fn get_task(
            &self,
            request: tonic::Request<::a2a_types::GetTaskRequest>,
        ) -> std::result::Result<tonic::Response<::a2a_types::Task>, tonic::Status>;
        /// Lists the tasks that the caller may see, newest status first, page by page.
        async fn list_tasks(
            &self,
            request: tonic::Request<::a2a_types::ListTasksRequest>,
        ) -> std::result::Result<
            tonic::Response<::a2a_types::ListTasksResponse>,
            tonic::Status,
        >;
        /// Asks the agent to stop working on a task.
        async fn cancel_task(
            &self,
            request: tonic::Request<::a2a_types::CancelTaskRequest>,
        ) -> std::result::Result<tonic::Response<::a2a_types::Task>, tonic::Status>;
        /// Server streaming response type for the SubscribeToTask method.
        type SubscribeToTaskStream: tonic::codegen::tokio_stream::Stream<
                Item = std::result::Result<::a2a_types::StreamResponse, tonic::Status>,
            >
            + std::marker::Send
            + 'static;
        /// Streams the updates of a task that is not finished, starting with its present state.
        async fn subscribe_to_task(
            &self,
            request: tonic::Request<::a2a_types::SubscribeToTaskRequest>,
        ) -> std::result::Result<
            tonic::Response<Self::SubscribeToTaskStream>,
            tonic::Status,
        >;
        /// Registers a webhook that is told about every update of a task.
        async fn create_task_push_notification_config(
            &self,
            request: tonic::Request<::a2a_types::TaskPushNotificationConfig>,
        ) -> std::result::Result<
            tonic::Response<::a2a_types::TaskPushNotificationConfig>,
            tonic::Status,
        >;
        /// Reads one webhook registration of a task.
        async fn get_task_push_notification_config(
            &self,
            request: tonic::Request<::a2a_types::GetTaskPushNotificationConfigRequest>,
        ) -> std::result::Result<
            tonic::Response<::a2a_types::TaskPushNotificationConfig>,
            tonic::Status,
        >;
        /// Lists the webhook registrations of a task.
        async fn list_task_push_notification_configs(
            &self,
            request: tonic::Request<::a2a_types::ListTaskPushNotificationConfigsRequest>,
        ) -> std::result::Result<
            tonic::Response<::a2a_types::ListTaskPushNotificationConfigsResponse>,
            tonic::Status,
        >;
        /// Reads the card that the agent shows to authenticated callers.
        async fn get_extended_agent_card(
            &self,
            request: tonic::Request<::a2a_types::GetExtendedAgentCardRequest>,
        ) -> std::result::Result<tonic::Response<::a2a_types::AgentCard>, tonic::Status>;
        /// Removes a webhook registration. Removing one that does not exist succeeds.
        async fn delete_task_push_notification_config(
            &self,
            request: tonic::Request<::a2a_types::DeleteTaskPushNotificationConfigRequest>,
        ) -> std::result::Result<tonic::Response<::a2a_types::Empty>, tonic::Status>;
    }
    /// What an agent offers to its callers.
    #[derive(Debug)]
    pub struct A2aServiceServer<T> {
        inner: Arc<T>,
        accept_compression_encodings: EnabledCompressionEncodings,
        send_compression_encodings: EnabledCompressionEncodings,
        max_decoding_message_size: Option<usize>,
        max_encoding_message_size: Option<usize>,
    }
    impl<T> A2aServiceServer<T> {
        pub fn new(inner: T) -> Self {
            Self::from_arc(Arc::new(inner))
        }
        pub fn from_arc(inner: Arc<T>) -> Self {
            Self {
                inner,
                accept_compression_encodings: Default::default(),
                send_compression_encodings: Default::default(),
                max_decoding_message_size: None,
                max_encoding_message_size: None,
            }
        }
        pub fn with_interceptor<F>(
            inner: T,
            interceptor: F,
        ) -> InterceptedService<Self, F>
        where
            F: tonic::service::Interceptor,
        {
            InterceptedService::new(Self::new(inner), interceptor)
        }
        /// Enable decompressing requests with the given encoding.
        #[must_use]
        pub fn accept_compressed(mut self, encoding: CompressionEncoding) -> Self {
            self.accept_compression_encodings.enable(encoding);
            self
        }
        /// Compress responses with the given encoding, if the client supports it.
        #[must_use]
        pub fn send_compressed(mut self, encoding: CompressionEncoding) -> Self {
            self.send_compression_encodings.enable(encoding);
            self
        }
        /// Limits the maximum size of a decoded message.
        ///
        /// Default: `4MB`
        #[must_use]
        pub fn max_decoding_message_size(mut self, limit: usize) -> Self {
            self.max_decoding_message_size = Some(limit);
            self
        }
        /// Limits the maximum size of an encoded message.
        ///
        /// Default: `usize::MAX`
        #[must_use]
        pub fn max_encoding_message_size(mut self, limit: usize) -> Self {
            self.max_encoding_message_size = Some(limit);
            self
        }
    }
    impl<T, B> tonic::codegen::Service<http::Request<B>> for A2aServiceServer<T>
    where
        T: A2aService,
        B: Body + std::marker::Send + 'static,
        B::Error: Into<StdError> + std::marker::Send + 'static,
    {
        type Response = http::Response<tonic::body::Body>;
        type Error = std::convert::Infallible;
        type Future = BoxFuture<Self::Response, Self::Error>;
        fn poll_ready(
            &mut self,
            _cx: &mut Context<'_>,
        ) -> Poll<std::result::Result<(), Self::Error>> {
            Poll::Ready(Ok(()))
        }
        fn call(&mut self, req: http::Request<B>) -> Self::Future {
            match req.uri().path() {
                "/lf.a2a.v1.A2AService/SendMessage" => {
                    #[allow(non_camel_case_types)]
                    struct SendMessageSvc<T: A2aService>(pub Arc<T>);
                    impl<
                        T: A2aService,
                    > tonic::server::UnaryService<::a2a_types::SendMessageRequest>
                    for SendMessageSvc<T> {
                        type Response = ::a2a_types::SendMessageResponse;
                        type Future = BoxFuture<
                            tonic::Response<Self::Response>,
                            tonic::Status,
                        >;
                        fn call(
                            &mut self,
                            request: tonic::Request<::a2a_types::SendMessageRequest>,
                        ) -> Self::Future {
                            let inner = Arc::clone(&self.0);
                            let fut = async move {
                                <T as A2aService>::send_message(&inner, request).await
                            };
                            Box::pin(fut)
                        }
                    }
                    let accept_compression_encodings = self.accept_compression_encodings;
                    let send_compression_encodings = self.send_compression_encodings;
                    let max_decoding_message_size = self.max_decoding_message_size;
                    let max_encoding_message_size = self.max_encoding_message_size;
                    let inner = self.inner.clone();
                    let fut = async move {
                        let method = SendMessageSvc(inner);
                        let codec = tonic_prost::ProstCodec::default();
                        let mut grpc = tonic::server::Grpc::new(codec)
                            .apply_compression_config(
                                accept_compression_encodings,
                                send_compression_encodings,
                            )
                            .apply_max_message_size_config(
                                max_decoding_message_size,
                                max_encoding_message_size,
                            );
                        let res = grpc.unary(method, req).await;
                        Ok(res)
                    };
                    Box::pin(fut)
                }
                "/lf.a2a.v1.A2AService/SendStreamingMessage" => {
                    #[allow(non_camel_case_types)]
                    struct SendStreamingMessageSvc<T: A2aService>(pub Arc<T>);
                    impl<
                        T: A2aService,
                    > tonic::server::ServerStreamingService<
                        ::a2a_types::SendMessageRequest,
                    > for SendStreamingMessageSvc<T> {
                        type Response = ::a2a_types::StreamResponse;
                        type ResponseStream = T::SendStreamingMessageStream;
                        type Future = BoxFuture<
                            tonic::Response<Self::ResponseStream>,
                            tonic::Status,
                        >;
                        fn call(
                            &mut self,
                            request: tonic::Request<::a2a_types::SendMessageRequest>,
                        ) -> Self::Future {
                            let inner = Arc::clone(&self.0);
                            let fut = async move {
                                <T as A2aService>::send_streaming_message(&inner, request)
                                    .await
                            };
                            Box::pin(fut)
                        }
                    }
                    let accept_compression_encodings = self.accept_compression_encodings;
                    let send_compression_encodings = self.send_compression_encodings;
                    let max_decoding_message_size = self.max_decoding_message_size;
                    let max_encoding_message_size = self.max_encoding_message_size;
                    let inner = self.inner.clone();
                    let fut = async move {
                        let method = SendStreamingMessageSvc(inner);
                        let codec = tonic_prost::ProstCodec::default();
                        let mut grpc = tonic::server::Grpc::new(codec)
                            .apply_compression_config(
                                accept_compression_encodings,
                                send_compression_encodings,
                            )
                            .apply_max_message_size_config(
                                max_decoding_message_size,
                                max_encoding_message_size,
                            );
                        let res = grpc.server_streaming(method, req).await;
                        Ok(res)
                    };
                    Box::pin(fut)
                }
                "/lf.a2a.v1.A2AService/GetTask" => {
                    #[allow(non_camel_case_types)]
                    struct GetTaskSvc<T: A2aService>(pub Arc<T>);
                    impl<
                        T: A2aService,
                    > tonic::server::UnaryService<::a2a_types::GetTaskRequest>
                    for GetTaskSvc<T> {
                        type Response = ::a2a_types::Task;
                        type Future = BoxFuture<
                            tonic::Response<Self::Response>,
                            tonic::Status,
                        >;
                        fn call(
                            &mut self,
                            request: tonic::Request<::a2a_types::GetTaskRequest>,
                        ) -> Self::Future {
                            let inner = Arc::clone(&self.0);
                            let fut = async move {
                                <T as A2aService>::get_task(&inner, request).await
                            };
                            Box::pin(fut)
                        }
                    }
                    let accept_compression_encodings = self.accept_compression_encodings;
                    let send_compression_encodings = self.send_compression_encodings;
                    let max_decoding_message_size = self.max_decoding_message_size;
                    let max_encoding_message_size = self.max_encoding_message_size;
                    let inner = self.inner.clone();
                    let fut = async move {
                        let method = GetTaskSvc(inner);
                        let codec = tonic_prost::ProstCodec::default();
                        let mut grpc = tonic::server::Grpc::new(codec)
                            .apply_compression_config(
                                accept_compression_encodings,
                                send_compression_encodings,
                            )
                            .apply_max_message_size_config(
                                max_decoding_message_size,
                                max_encoding_message_size,
                            );
                        let res = grpc.unary(method, req).await;
                        Ok(res)
                    };
                    Box::pin(fut)
                }
                "/lf.a2a.v1.A2AService/ListTasks" => {
                    #[allow(non_camel_case_types)]
                    struct ListTasksSvc<T: A2aService>(pub Arc<T>);
                    impl<
                        T: A2aService,
                    > tonic::server::UnaryService<::a2a_types::ListTasksRequest>
                    for ListTasksSvc<T> {
                        type Response = ::a2a_types::ListTasksResponse;
                        type Future = BoxFuture<
                            tonic::Response<Self::Response>,
                            tonic::Status,
                        >;
                        fn call(
                            &mut self,
                            request: tonic::Request<::a2a_types::ListTasksRequest>,
                        ) -> Self::Future {
                            let inner = Arc::clone(&self.0);
                            let fut = async move {
                                <T as A2aService>::list_tasks(&inner, request).await
                            };
                            Box::pin(fut)
                        }
                    }
                    let accept_compression_encodings = self.accept_compression_encodings;
                    let send_compression_encodings = self.send_compression_encodings;
                    let max_decoding_message_size = self.max_decoding_message_size;
                    let max_encoding_message_size = self.max_encoding_message_size;
                    let inner = self.inner.clone();
                    let fut = async move {
                        let method = ListTasksSvc(inner);
                        let codec = tonic_prost::ProstCodec::default();
                        let mut grpc = tonic::server::Grpc::new(codec)
                            .apply_compression_config(
                                accept_compression_encodings,
                                send_compression_encodings,
                            )
                            .apply_max_message_size_config(
                                max_decoding_message_size,
                                max_encoding_message_size,
                            );
                        let res = grpc.unary(method, req).await;
                        Ok(res)
                    };
                    Box::pin(fut)
                }
                "/lf.a2a.v1.A2AService/CancelTask" => {
                    #[allow(non_camel_case_types)]
                    struct CancelTaskSvc<T: A2aService>(pub Arc<T>);
                    impl<
                        T: A2aService,
                    > tonic::server::UnaryService<::a2a_types::CancelTaskRequest>
                    for CancelTaskSvc<T> {
                        type Response = ::a2a_types::Task;
                        type Future = BoxFuture<
                            tonic::Response<Self::Response>,
                            tonic::Status,
                        >;
                        fn call(
                            &mut self,
                            request: tonic::Request<::a2a_types::CancelTaskRequest>,
                        ) -> Self::Future {
                            let inner = Arc::clone(&self.0);
                            let fut = async move {
                                <T as A2aService>::cancel_task(&inner, request).await
                            };
                            Box::pin(fut)
                        }
                    }
                    let accept_compression_encodings = self.accept_compression_encodings;
                    let send_compression_encodings = self.send_compression_encodings;
                    let max_decoding_message_size = self.max_decoding_message_size;
                    let max_encoding_message_size = self.max_encoding_message_size;
                    let inner = self.inner.clone();
                    let fut = async move {
                        let method = CancelTaskSvc(inner);
                        let codec = tonic_prost::ProstCodec::default();
                        let mut grpc = tonic::server::Grpc::new(codec)
                            .apply_compression_config(
                                accept_compression_encodings,
                                send_compression_encodings,
                            )
                            .apply_max_message_size_config(
                                max_decoding_message_size,
                                max_encoding_message_size,
                            );
                        let res = grpc.unary(method, req).await;
                        Ok(res)
                    };
                    Box::pin(fut)
                }
                "/lf.a2a.v1.A2AService/SubscribeToTask" => {
                    #[allow(non_camel_case_types)]
                    struct SubscribeToTaskSvc<T: A2aService>(pub Arc<T>);
                    impl<
                        T: A2aService,
                    > tonic::server::ServerStreamingService<
                        ::a2a_types::SubscribeToTaskRequest,
                    > for SubscribeToTaskSvc<T> {
                        type Response = ::a2a_types::StreamResponse;
                        type ResponseStream = T::SubscribeToTaskStream;
                        type Future = BoxFuture<
                            tonic::Response<Self::ResponseStream>,
                            tonic::Status,
                        >;
                        fn call(
                            &mut self,
                            request: tonic::Request<::a2a_types::SubscribeToTaskRequest>,
                        ) -> Self::Future {
                            let inner = Arc::clone(&self.0);
                            let fut = async move {
                                <T as A2aService>::subscribe_to_task(&inner, request).await
                            };
                            Box::pin(fut)
                        }
                    }
                    let accept_compression_encodings = self.accept_compression_encodings;
                    let send_compression_encodings = self.send_compression_encodings;
                    let max_decoding_message_size = self.max_decoding_message_size;
                    let max_encoding_message_size = self.max_encoding_message_size;
                    let inner = self.inner.clone();
                    let fut = async move {
                        let method = SubscribeToTaskSvc(inner);
                        let codec = tonic_prost::ProstCodec::default();
                        let mut grpc = tonic::server::Grpc::new(codec)
                            .apply_compression_config(
                                accept_compression_encodings,
                                send_compression_encodings,
                            )
                            .apply_max_message_size_config(
                                max_decoding_message_size,
                                max_encoding_message_size,
                            );
                        let res = grpc.server_streaming(method, req).await;
                        Ok(res)
                    };
                    Box::pin(fut)
                }
                "/lf.a2a.v1.A2AService/CreateTaskPushNotificationConfig" => {
                    #[allow(non_camel_case_types)]
                    struct CreateTaskPushNotificationConfigSvc<T: A2aService>(
                        pub Arc<T>,
                    );
                    impl<
                        T: A2aService,
                    > tonic::server::UnaryService<
                        ::a2a_types::TaskPushNotificationConfig,
                    > for CreateTaskPushNotificationConfigSvc<T> {
                        type Response = ::a2a_types::TaskPushNotificationConfig;
                        type Future = BoxFuture<
                            tonic::Response<Self::Response>,
                            tonic::Status,
                        >;
                        fn call(
                            &mut self,
                            request: tonic::Request<
                                ::a2a_types::TaskPushNotificationConfig,
                            >,
                        ) -> Self::Future {
                            let inner = Arc::clone(&self.0);
                            let fut = async move {
                                <T as A2aService>::create_task_push_notification_config(
                                        &inner,
                                        request,
                                    )
                                    .await
                            };
                            Box::pin(fut)
                        }
                    }
                    let accept_compression_encodings = self.accept_compression_encodings;
                    let send_compression_encodings = self.send_compression_encodings;
                    let max_decoding_message_size = self.max_decoding_message_size;
                    let max_encoding_message_size = self.max_encoding_message_size;
                    let inner = self.inner.clone();
                    let fut = async move {
                        let method = CreateTaskPushNotificationConfigSvc(inner);
                        let codec = tonic_prost::ProstCodec::default();
                        let mut grpc = tonic::server::Grpc::new(codec)
                            .apply_compression_config(
                                accept_compression_encodings,
                                send_compression_encodings,
                            )
                            .apply_max_message_size_config(
                                max_decoding_message_size,
                                max_encoding_message_size,
                            );
                        let res = grpc.unary(method, req).await;
                        Ok(res)
                    };
                    Box::pin(fut)
                }
                "/lf.a2a.v1.A2AService/GetTaskPushNotificationConfig" => {
                    #[allow(non_camel_case_types)]
                    struct GetTaskPushNotificationConfigSvc<T: A2aService>(pub Arc<T>);
                    impl<
                        T: A2aService,
                    > tonic::server::UnaryService<
                        ::a2a_types::GetTaskPushNotificationConfigRequest,
                    > for GetTaskPushNotificationConfigSvc<T> {
                        type Response = ::a2a_types::TaskPushNotificationConfig;
                        type Future = BoxFuture<
                            tonic::Response<Self::Response>,
                            tonic::Status,
                        >;
                        fn call(
                            &mut self,
                            request: tonic::Request<
                                ::a2a_types::GetTaskPushNotificationConfigRequest,
                            >,
                        ) -> Self::Future {
                            let inner = Arc::clone(&self.0);
                            let fut = async move {
                                <T as A2aService>::get_task_push_notification_config(
                                        &inner,
                                        request,
                                    )
                                    .await
                            };
                            Box::pin(fut)
                        }
                    }
                    let accept_compression_encodings = self.accept_compression_encodings;
                    let send_compression_encodings = self.send_compression_encodings;
                    let max_decoding_message_size = self.max_decoding_message_size;
                    let max_encoding_message_size = self.max_encoding_message_size;
                    let inner = self.inner.clone();
                    let fut = async move {
                        let method = GetTaskPushNotificationConfigSvc(inner);
                        let codec = tonic_prost::ProstCodec::default();
                        let mut grpc = tonic::server::Grpc::new(codec)
                            .apply_compression_config(
                                accept_compression_encodings,
                                send_compression_encodings,
                            )
                            .apply_max_message_size_config(
                                max_decoding_message_size,
                                max_encoding_message_size,
                            );
                        let res = grpc.unary(method, req).await;
                        Ok(res)
                    };
                    Box::pin(fut)
                }
                "/lf.a2a.v1.A2AService/ListTaskPushNotificationConfigs" => {
                    #[allow(non_camel_case_types)]
                    struct ListTaskPushNotificationConfigsSvc<T: A2aService>(pub Arc<T>);
                    impl<
                        T: A2aService,
                    > tonic::server::UnaryService<
                        ::a2a_types::ListTaskPushNotificationConfigsRequest,
                    > for ListTaskPushNotificationConfigsSvc<T> {
                        type Response = ::a2a_types::ListTaskPushNotificationConfigsResponse;
                        type Future = BoxFuture<
                            tonic::Response<Self::Response>,
                            tonic::Status,
                        >;
                        fn call(
                            &mut self,
                            request: tonic::Request<
                                ::a2a_types::ListTaskPushNotificationConfigsRequest,
                            >,
                        ) -> Self::Future {
                            let inner = Arc::clone(&self.0);
                            let fut = async move {
                                <T as A2aService>::list_task_push_notification_configs(
                                        &inner,
                                        request,
                                    )
                                    .await
                            };
                            Box::pin(fut)
                        }
                    }
                    let accept_compression_encodings = self.accept_compression_encodings;
                    let send_compression_encodings = self.send_compression_encodings;
                    let max_decoding_message_size = self.max_decoding_message_size;
                    let max_encoding_message_size = self.max_encoding_message_size;
                    let inner = self.inner.clone();
                    let fut = async move {
                        let method = ListTaskPushNotificationConfigsSvc(inner);
                        let codec = tonic_prost::ProstCodec::default();
                        let mut grpc = tonic::server::Grpc::new(codec)
                            .apply_compression_config(
                                accept_compression_encodings,
                                send_compression_encodings,
                            )
                            .apply_max_message_size_config(
                                max_decoding_message_size,
                                max_encoding_message_size,
                            );
                        let res = grpc.unary(method, req).await;
                        Ok(res)
                    };
                    Box::pin(fut)
                }
                "/lf.a2a.v1.A2AService/GetExtendedAgentCard" => {
                    #[allow(non_camel_case_types)]
                    struct GetExtendedAgentCardSvc<T: A2aService>(pub Arc<T>);
                    impl<
                        T: A2aService,
                    > tonic::server::UnaryService<
                        ::a2a_types::GetExtendedAgentCardRequest,
                    > for GetExtendedAgentCardSvc<T> {
                        type Response = ::a2a_types::AgentCard;
                        type Future = BoxFuture<
                            tonic::Response<Self::Response>,
                            tonic::Status,
                        >;
                        fn call(
                            &mut self,
                            request: tonic::Request<
                                ::a2a_types::GetExtendedAgentCardRequest,
                            >,
                        ) -> Self::Future {
                            let inner = Arc::clone(&self.0);
                            let fut = async move {
                                <T as A2aService>::get_extended_agent_card(&inner, request)
                                    .await
                            };
                            Box::pin(fut)
                        }
                    }
                    let accept_compression_encodings = self.accept_compression_encodings;
                    let send_compression_encodings = self.send_compression_encodings;
                    let max_decoding_message_size = self.max_decoding_message_size;
                    let max_encoding_message_size = self.max_encoding_message_size;
                    let inner = self.inner.clone();
                    let fut = async move {
                        let method = GetExtendedAgentCardSvc(inner);
                        let codec = tonic_prost::ProstCodec::default();
                        let mut grpc = tonic::server::Grpc::new(codec)
                            .apply_compression_config(
                                accept_compression_encodings,
                                send_compression_encodings,
                            )
                            .apply_max_message_size_config(
                                max_decoding_message_size,
                                max_encoding_message_size,
                            );
                        let res = grpc.unary(method, req).await;
                        Ok(res)
                    };
                    Box::pin(fut)
                }
                "/lf.a2a.v1.A2AService/DeleteTaskPushNotificationConfig" => {
                    #[allow(non_camel_case_types)]
                    struct DeleteTaskPushNotificationConfigSvc<T: A2aService>(
                        pub Arc<T>,
                    );
                    impl<
                        T: A2aService,
                    > tonic::server::UnaryService<
                        ::a2a_types::DeleteTaskPushNotificationConfigRequest,
                    > for DeleteTaskPushNotificationConfigSvc<T> {
                        type Response = ::a2a_types::Empty;
                        type Future = BoxFuture<
                            tonic::Response<Self::Response>,
                            tonic::Status,
                        >;
                        fn call(
                            &mut self,
                            request: tonic::Request<
                                ::a2a_types::DeleteTaskPushNotificationConfigRequest,
                            >,
                        ) -> Self::Future {
                            let inner = Arc::clone(&self.0);
                            let fut = async move {
                                <T as A2aService>::delete_task_push_notification_config(
                                        &inner,
                                        request,
                                    )
                                    .await
                            };
                            Box::pin(fut)
                        }
                    }
                    let accept_compression_encodings = self.accept_compression_encodings;
                    let send_compression_encodings = self.send_compression_encodings;
                    let max_decoding_message_size = self.max_decoding_message_size;
                    let max_encoding_message_size = self.max_encoding_message_size;
                    let inner = self.inner.clone();
                    let fut = async move {
                        let method = DeleteTaskPushNotificationConfigSvc(inner);
                        let codec = tonic_prost::ProstCodec::default();
                        let mut grpc = tonic::server::Grpc::new(codec)
                            .apply_compression_config(
                                accept_compression_encodings,
                                send_compression_encodings,
                            )
                            .apply_max_message_size_config(
                                max_decoding_message_size,
                                max_encoding_message_size,
                            );
                        let res = grpc.unary(method, req).await;
                        Ok(res)
                    };
                    Box::pin(fut)
                }
                _ => {
                    Box::pin(async move {
                        let mut response = http::Response::new(
                            tonic::body::Body::default(),
                        );
                        let headers = response.headers_mut();
                        headers
                            .insert(
                                tonic::Status::GRPC_STATUS,
                                (tonic::Code::Unimplemented as i32).into(),
                            );
                        headers
                            .insert(
                                http::header::CONTENT_TYPE,
                                tonic::metadata::GRPC_CONTENT_TYPE,
                            );
                        Ok(response)
                    })
                }
            }
        }
    }
    impl<T> Clone for A2aServiceServer<T> {
        fn clone(&self) -> Self {
            let inner = self.inner.clone();
            Self {
                inner,
                accept_compression_encodings: self.accept_compression_encodings,
                send_compression_encodings: self.send_compression_encodings,
                max_decoding_message_size: self.max_decoding_message_size,
                max_encoding_message_size: self.max_encoding_message_size,
            }
        }
    }
    /// Generated gRPC service name
    pub const SERVICE_NAME: &str = "lf.a2a.v1.A2AService";
    impl<T> tonic::server::NamedService for A2aServiceServer<T> {
        const NAME: &'static str = SERVICE_NAME;
    }
}
