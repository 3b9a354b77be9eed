//! Webhook registrations at rest.

use std::sync::Arc;

use a2a_store_sqlite::{EncryptionKey, OpenError, SqliteStore};
use a2a_types::push::{Claim, Notification, Outcome, PushOutbox, Webhook};
use a2a_types::store::PushConfigStore;
use a2a_types::{AuthenticationInfo, TaskPushNotificationConfig};

use crate::support::{Database, at, owner, scope};

const SECRETS: [&str; 3] = ["s3cret-token", "s3cret-credentials", "s3cret-path"];

fn key(byte: u8) -> EncryptionKey {
    EncryptionKey::new([byte; 32])
}

async fn register(store: &SqliteStore) {
    let authentication = AuthenticationInfo::default()
        .with_scheme("Bearer")
        .with_credentials(SECRETS[1]);
    let config = TaskPushNotificationConfig::default()
        .with_task_id("t")
        .with_id("c")
        .with_url(format!("https://example.com/{}", SECRETS[2]))
        .with_token(SECRETS[0])
        .with_authentication(authentication);
    let _ = store.put(&owner(), config.clone(), 10).await.unwrap();
    let webhook = [Arc::new(Webhook::new(owner(), config))];
    let note = [Notification::new("1", "{}")];
    store.enqueue(&webhook, &note, at(0)).await.unwrap();
}

async fn check(store: &SqliteStore) {
    let config = store.get(&scope(), "t", "c").await.unwrap().unwrap();
    assert_eq!(config.token, SECRETS[0]);
    assert_eq!(config.authentication.unwrap().credentials, SECRETS[1]);
    let claims = store.claim(&Claim::new(at(1), at(2), 1)).await.unwrap();
    assert_eq!(claims.claimed[0].webhook.config.token, SECRETS[0]);
    let release = store.settle(&claims.claimed[0], Outcome::Release, at(1), None);
    assert!(release.await.unwrap().is_none());
}

/// Which secrets can be read in the files of the database.
fn in_the_open(database: &Database) -> Vec<&'static str> {
    let mut bytes = Vec::new();
    for file in std::fs::read_dir(database.path().parent().unwrap()).unwrap() {
        bytes.extend(std::fs::read(file.unwrap().path()).unwrap());
    }
    let found = |secret: &&str| {
        bytes
            .windows(secret.len())
            .any(|part| part == secret.as_bytes())
    };
    SECRETS.into_iter().filter(found).collect()
}

// R128
#[tokio::test]
async fn secrets_are_nowhere_in_the_files() {
    let database = Database::new();
    let builder = SqliteStore::builder().encryption_key(key(1));
    assert_eq!(format!("{:?}", key(1)), "EncryptionKey(..)");
    assert!(
        !format!("{builder:?}").contains("1, 1"),
        "no key in debug output"
    );
    let store = builder.clone().open(database.path()).await.unwrap();
    register(&store).await;
    check(&store).await;
    assert!(in_the_open(&database).is_empty());
    store.close().await;
    assert!(in_the_open(&database).is_empty());
    check(&builder.open(database.path()).await.unwrap()).await;
}

#[tokio::test]
async fn key_can_be_introduced_and_changed() {
    let database = Database::new();
    let store = database.open().await;
    register(&store).await;
    store.close().await;
    assert_eq!(in_the_open(&database).len(), 3);
    // The first key: what was in the open is not any more.
    let first = SqliteStore::builder().encryption_key(key(1));
    let store = first.clone().open(database.path()).await.unwrap();
    check(&store).await;
    store.close().await;
    assert!(in_the_open(&database).is_empty());
    // The next one: the old one opens once more, and then never again.
    let second = SqliteStore::builder().encryption_key(key(2));
    let both = second.clone().earlier_encryption_key(key(1));
    let store = both.open(database.path()).await.unwrap();
    check(&store).await;
    store.close().await;
    check(&second.open(database.path()).await.unwrap()).await;
    let error = first.open(database.path()).await.unwrap_err();
    assert!(matches!(error, OpenError::Key), "{error:?}");
}

#[tokio::test]
async fn encrypted_database_needs_its_key() {
    let database = Database::new();
    let store = SqliteStore::builder().encryption_key(key(1));
    store.open(database.path()).await.unwrap().close().await;
    for builder in [
        SqliteStore::builder(),
        SqliteStore::builder().encryption_key(key(2)),
        SqliteStore::builder()
            .encryption_key(key(2))
            .earlier_encryption_key(key(3)),
    ] {
        let error = builder.open(database.path()).await.unwrap_err();
        assert!(matches!(error, OpenError::Key), "{error:?}");
    }
}

// A registration is bound to its place: who has the file alone cannot hand it to another owner.
#[tokio::test]
async fn moved_registration_is_not_opened() {
    let database = Database::new();
    let builder = SqliteStore::builder().encryption_key(key(1));
    let store = builder.clone().open(database.path()).await.unwrap();
    register(&store).await;
    let mut connection = crate::support::connect(&database.path()).await;
    sqlx::raw_sql("UPDATE push_configs SET task_id = 'u'")
        .execute(&mut connection)
        .await
        .unwrap();
    assert!(store.get(&scope(), "u", "c").await.is_err());
}
