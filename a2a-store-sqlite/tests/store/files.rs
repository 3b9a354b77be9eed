//! The file: who may open it, its versions, its copies.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use a2a_store_sqlite::{OpenError, SqliteStore, Synchronous};
use a2a_types::TaskPushNotificationConfig;
use a2a_types::push::{Claim, PushOutbox, Webhook};
use a2a_types::store::{
    Append, Durability, ListQuery, LogEntry, PushConfigStore, Scope, Sharing, StoreErrorKind,
    TaskStore,
};
use a2a_types::{Artifact, Message, TaskState, Timestamp};
use sqlx::Connection;

use crate::support::{
    Database, Writer, at, chunk, connect, impatient, input, list, load, number, owner, scope,
    status, task,
};

/// The newest version of the schema, of which there is a fixture as of all before.
const VERSION: i64 = 2;

/// Puts the database of this version, as it is kept in the repository, in the place of ours.
pub(crate) fn lay_fixture(database: &Database, version: i64) {
    let fixture = format!("{}/fixtures/v{version}.db", env!("CARGO_MANIFEST_DIR"));
    std::fs::copy(fixture, database.path()).unwrap();
}

/// What the fixtures hold.
async fn fill(store: &SqliteStore) {
    let mut open = Writer::create(store, task("open", 1).with_history([Message::user("hi")])).await;
    open.write([status(TaskState::Working, 2), chunk("a")])
        .await
        .unwrap();
    open.write([chunk("b")]).await.unwrap();
    open.write([input("more"), status(TaskState::InputRequired, 3)])
        .await
        .unwrap();
    let ended = task("ended", 1)
        .with_history([Message::user("go")])
        .with_artifacts([Artifact::new("x", ["first"])])
        .with_metadata(
            serde_json::json!({"n": u64::MAX})
                .as_object()
                .unwrap()
                .clone(),
        );
    let mut ended = Writer::create(store, ended).await;
    ended.write([chunk("a"), chunk("b")]).await.unwrap();
    ended
        .write([status(TaskState::Completed, 4)])
        .await
        .unwrap();
    let config = TaskPushNotificationConfig::default()
        .with_task_id("open")
        .with_id("c")
        .with_url("https://example.com/hook")
        .with_token("t0ken");
    let _ = store.put(&owner(), config, 10).await.unwrap();
}

async fn check(store: &SqliteStore) {
    let open = load(store, "open").await;
    assert_eq!(open.state(), TaskState::InputRequired);
    assert_eq!(open.artifacts[0].text(), "ab");
    let history: Vec<_> = open.history.iter().map(Message::text).collect();
    assert_eq!(history, ["hi", "more"]);
    let ended = load(store, "ended").await;
    assert_eq!(ended.state(), TaskState::Completed);
    assert_eq!(ended.artifacts.len(), 2);
    assert_eq!(ended.artifacts[1].text(), "ab");
    assert_eq!(ended.metadata.unwrap().0["n"], u64::MAX);
    let page = list(store, &scope(), &ListQuery::new(10)).await;
    let ids: Vec<_> = page.tasks.iter().map(|task| &*task.id).collect();
    assert_eq!((ids, page.total), (vec!["ended", "open"], 2));
    let config = store.get(&scope(), "open", "c").await.unwrap().unwrap();
    assert_eq!(config.token, "t0ken");
    let events = store
        .events(&scope(), "open", 1, 10)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(events.len(), 3);
}

#[tokio::test]
async fn what_was_stored_is_there_after_a_restart() {
    let database = Database::new();
    let store = database.open().await;
    fill(&store).await;
    check(&store).await;
    store.close().await;
    let store = database.open().await;
    check(&store).await;
    let mut writer = Writer {
        store: store.clone(),
        id: "open".to_owned(),
        revision: 5,
        sequence: 4,
    };
    writer
        .write([status(TaskState::Completed, 9)])
        .await
        .unwrap();
    assert_eq!(load(&store, "open").await.state(), TaskState::Completed);
}

#[tokio::test]
async fn database_of_every_version_keeps_its_data() {
    for version in 1..=VERSION {
        let database = Database::new();
        lay_fixture(&database, version);
        let store = database.open().await;
        check(&store).await;
        Writer::create(&store, task("new", 9)).await;
        store.close().await;
        let mut connection = connect(&database.path()).await;
        assert_eq!(
            number(&mut connection, "PRAGMA user_version").await,
            VERSION
        );
        assert_eq!(
            number(&mut connection, "SELECT count(*) FROM tasks").await,
            3
        );
    }
}

/// Run by hand when there is a new version: `cargo test --test store write_fixture -- --ignored`.
#[tokio::test]
#[ignore = "writes into the source folder"]
async fn write_fixture() {
    let database = Database::new();
    let store = database.open().await;
    fill(&store).await;
    let path = format!("{}/fixtures/v{VERSION}.db", env!("CARGO_MANIFEST_DIR"));
    let _ = std::fs::remove_file(&path);
    std::fs::create_dir_all(Path::new(&path).parent().unwrap()).unwrap();
    store.backup(path).await.unwrap();
}

#[tokio::test]
async fn database_of_a_newer_version_is_refused_and_left_as_it_is() {
    let database = Database::new();
    database.open().await.close().await;
    let mut connection = connect(&database.path()).await;
    sqlx::raw_sql("PRAGMA user_version = 999")
        .execute(&mut connection)
        .await
        .unwrap();
    connection.close().await.unwrap();
    let before = std::fs::read(database.path()).unwrap();
    let error = SqliteStore::open(database.path()).await.unwrap_err();
    assert!(
        matches!(
            error,
            OpenError::Newer {
                found: 999,
                known: VERSION
            }
        ),
        "{error:?}"
    );
    assert!(error.to_string().contains("newer"));
    assert_eq!(std::fs::read(database.path()).unwrap(), before);
}

#[tokio::test]
async fn what_is_not_ours_is_refused_and_left_as_it_is() {
    let foreign = Database::new();
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(foreign.path());
    let mut connection = sqlx::ConnectOptions::connect(&options.create_if_missing(true))
        .await
        .unwrap();
    sqlx::raw_sql("CREATE TABLE t (x)")
        .execute(&mut connection)
        .await
        .unwrap();
    connection.close().await.unwrap();
    let nonsense = Database::new();
    std::fs::write(
        nonsense.path(),
        "no database at all, but longer than the header of one is: \
        a hundred bytes are what SQLite looks at first",
    )
    .unwrap();
    for database in [foreign, nonsense] {
        let before = std::fs::read(database.path()).unwrap();
        let error = SqliteStore::open(database.path()).await.unwrap_err();
        assert!(matches!(error, OpenError::Foreign), "{error:?}");
        assert_eq!(std::fs::read(database.path()).unwrap(), before);
    }
    let folder = Database::new();
    let error = SqliteStore::open(folder.file("none").join("a2a.db"))
        .await
        .unwrap_err();
    assert!(matches!(error, OpenError::Io(_)), "{error:?}");
}

// R103: two stores on one database would overwrite each other.
#[tokio::test]
async fn second_store_on_a_database_is_refused() {
    let database = Database::new();
    let first = database.open().await;
    let error = impatient().open(database.path()).await.unwrap_err();
    assert!(matches!(error, OpenError::InUse(_)), "{error:?}");
    // By another name, too.
    #[cfg(unix)]
    {
        let link = database.file("link.db");
        std::os::unix::fs::symlink(database.path(), &link).unwrap();
        let error = impatient().open(link).await.unwrap_err();
        assert!(matches!(error, OpenError::InUse(_)), "{error:?}");
    }
    first.close().await;
    impatient().open(database.path()).await.unwrap();
}

// R103
#[tokio::test(flavor = "multi_thread")]
async fn second_process_on_a_database_is_refused() {
    let database = Database::new();
    let store = database.open().await;
    let child = |path: &Path| {
        Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "files::open_in_another_process", "--nocapture"])
            .env("A2A_OPEN", path)
            .output()
            .unwrap()
    };
    let refused = child(&database.path());
    assert!(
        String::from_utf8_lossy(&refused.stdout).contains("refused"),
        "{refused:?}"
    );
    store.close().await;
    let opened = child(&database.path());
    assert!(
        String::from_utf8_lossy(&opened.stdout).contains("opened"),
        "{opened:?}"
    );
}

/// Does nothing but in the process that the test above starts.
#[tokio::test]
#[allow(clippy::print_stdout)]
async fn open_in_another_process() {
    let Some(path) = std::env::var_os("A2A_OPEN") else {
        return;
    };
    match impatient().open(path).await {
        Ok(_) => println!("opened"),
        Err(OpenError::InUse(_)) => println!("refused"),
        Err(error) => println!("{error:?}"),
    }
}

#[tokio::test]
async fn store_that_is_dropped_gives_the_database_back() {
    let database = Database::new();
    for n in 0..3 {
        let store = database.open().await;
        Writer::create(&store, task(&n.to_string(), 0)).await;
    }
    let store = database.open().await;
    assert_eq!(list(&store, &scope(), &ListQuery::new(9)).await.total, 3);
}

#[tokio::test]
async fn closed_store_is_unavailable() {
    let database = Database::new();
    let store = database.open().await;
    let mut writer = Writer::create(&store, task("t", 0)).await;
    store.close().await;
    store.close().await;
    let error = writer.write([chunk("x")]).await.unwrap_err();
    assert_eq!(error.kind(), StoreErrorKind::Unavailable);
    let error = store.load(&Scope::__system(), "t").await.unwrap_err();
    assert_eq!(error.kind(), StoreErrorKind::Unavailable);
}

#[tokio::test]
async fn properties_tell_what_the_data_survives() {
    let database = Database::new();
    for (synchronous, durability) in [
        (Synchronous::Normal, Durability::Process),
        (Synchronous::Full, Durability::Machine),
    ] {
        let builder = SqliteStore::builder().synchronous(synchronous);
        let store = builder.open(database.path()).await.unwrap();
        let properties = TaskStore::properties(&store);
        assert_eq!(
            (properties.durability, properties.sharing),
            (durability, Sharing::Exclusive)
        );
        Writer::create(&store, task(&format!("{synchronous:?}"), 0)).await;
        store.close().await;
    }
    let store = SqliteStore::open(":memory:").await.unwrap();
    assert_eq!(
        TaskStore::properties(&store).durability,
        Durability::Volatile
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn backup_while_running_is_of_one_moment() {
    let database = Database::new();
    let store = database.open().await;
    fill(&store).await;
    let mut writer = Writer::create(&store, task("busy", 0)).await;
    let (stop, mut stopped) = tokio::sync::oneshot::channel::<()>();
    let busy = tokio::spawn(async move {
        while stopped.try_recv().is_err() {
            writer.write([chunk("x"), chunk("y")]).await.unwrap();
        }
        writer.sequence
    });
    let copy = Database::new();
    store.backup(copy.path()).await.unwrap();
    stop.send(()).unwrap();
    let last = busy.await.unwrap();
    // An existing file is not overwritten.
    assert!(store.backup(copy.path()).await.is_err());
    let copy = copy.open().await;
    let stored = copy.load(&scope(), "busy").await.unwrap().unwrap();
    let parts = stored
        .task
        .artifacts
        .first()
        .map_or(0, |artifact| artifact.parts.len());
    assert_eq!(parts as u64, stored.sequence);
    assert!(parts % 2 == 0 && stored.sequence <= last);
    let ended = load(&copy, "ended").await;
    assert_eq!(ended.artifacts[1].text(), "ab");
    assert!(at(4) == ended.status.unwrap().timestamp.unwrap());
}

// What a process was delivering when it died is delivered by the next one, and in order.
#[tokio::test]
async fn outbox_survives_and_claims_end_with_the_process() {
    let database = Database::new();
    let store = database.open().await;
    let config = TaskPushNotificationConfig::default()
        .with_task_id("t")
        .with_id("c")
        .with_url("https://example.com/hook");
    let webhook = [Arc::new(Webhook::new(owner(), config))];
    let mut writer = Writer::create(&store, task("t", 0)).await;
    let entries = [Arc::new(LogEntry::new(1, chunk("x")))];
    let append = Append::new(0, &entries).with_webhooks(&webhook);
    store.append(&scope(), "t", append).await.unwrap();
    (writer.revision, writer.sequence) = (1, 1);
    let later = Timestamp::from_unix_millis(Timestamp::now().unix_millis() + 60_000);
    let until = Timestamp::from_unix_millis(later.unix_millis() + 60_000);
    let claim = Claim::new(later, until, 9);
    let claimed = store.claim(&claim).await.unwrap().claimed;
    assert_eq!(claimed.len(), 1);
    assert!(store.claim(&claim).await.unwrap().claimed.is_empty());
    store.close().await;
    let store = database.open().await;
    let again = store.claim(&claim).await.unwrap().claimed;
    assert_eq!(again.len(), 1);
    assert_eq!(again[0].notification, claimed[0].notification);
    assert_eq!(again[0].webhook, webhook[0]);
}
