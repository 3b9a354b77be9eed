//! Webhooks.

use a2a::{
    DeleteTaskPushNotificationConfigRequest, GetTaskPushNotificationConfigRequest,
    ListTaskPushNotificationConfigsRequest, SendMessageConfiguration, StreamResponse,
    TaskPushNotificationConfig,
};
use axum::{Router, body::Bytes, http::HeaderMap, routing::post};
use futures::{StreamExt, channel::mpsc};
use tokio::net::TcpListener;

use crate::peer::{Client, Peer, SLOW, chunks, configured, kind_of, says, text_of};

fn config(task: &str, id: &str, url: &str) -> TaskPushNotificationConfig {
    TaskPushNotificationConfig {
        url: url.into(),
        id: Some(id.into()),
        task_id: task.into(),
        token: Some("secret".into()),
        authentication: None,
        tenant: None,
    }
}

pub async fn push_configs(peer: Peer) {
    let url = "http://127.0.0.1:9/hook";
    let task = peer.task(says("ask")).await.id;
    let client = peer.client().await;
    let made = client
        .create_push_config(&config(&task, "hook", url))
        .await
        .unwrap();
    let wanted = (Some("hook"), task.as_str(), url);
    assert_eq!(
        (made.id.as_deref(), made.task_id.as_str(), made.url.as_str()),
        wanted,
        "made"
    );
    client
        .create_push_config(&config(&task, "other", url))
        .await
        .unwrap();
    let get = GetTaskPushNotificationConfigRequest {
        task_id: task.clone(),
        id: "hook".into(),
        tenant: None,
    };
    assert_eq!(
        client.get_push_config(&get).await.unwrap().url,
        url,
        "the configuration"
    );
    assert_eq!(
        ids(&client, &task).await,
        ["hook", "other"],
        "configurations"
    );
    let gone = DeleteTaskPushNotificationConfigRequest {
        task_id: task.clone(),
        id: "hook".into(),
        tenant: None,
    };
    client.delete_push_config(&gone).await.unwrap();
    client.delete_push_config(&gone).await.unwrap();
    assert_eq!(
        ids(&client, &task).await,
        ["other"],
        "configurations after the delete"
    );
}

async fn ids(client: &Client, task: &str) -> Vec<String> {
    let request = ListTaskPushNotificationConfigsRequest {
        task_id: task.into(),
        page_size: None,
        page_token: None,
        tenant: None,
    };
    let configs = client.list_push_configs(&request).await.unwrap().configs;
    let mut ids: Vec<_> = configs.into_iter().filter_map(|config| config.id).collect();
    ids.sort_unstable();
    ids
}

pub async fn push_delivery(peer: Peer) {
    let (sender, mut seen) = mpsc::unbounded();
    let hook = move |headers: HeaderMap, body: Bytes| async move {
        let token = headers.get("x-a2a-notification-token").cloned();
        let _ = sender.unbounded_send((token, body));
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/hook", listener.local_addr().unwrap());
    let routes = Router::new().route("/hook", post(hook));
    let server = tokio::spawn(async move { axum::serve(listener, routes).await });

    let mut request = says("slow");
    request.configuration = Some(SendMessageConfiguration {
        task_push_notification_config: Some(config("", "hook", &url)),
        ..configured()
    });
    peer.task(request).await;
    let mut events = vec![];
    while !events
        .iter()
        .any(|event| kind_of(event) == "status Completed")
    {
        let (token, body) = seen.next().await.unwrap();
        assert_eq!(token.unwrap(), "secret", "each notification has the token");
        events.push(serde_json::from_slice::<StreamResponse>(&body).unwrap());
    }
    assert_eq!(text_of(&chunks(&events)), SLOW, "chunks");
    server.abort();
}
