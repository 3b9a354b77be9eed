//! What every [`TaskStore`], [`PushConfigStore`] and [`PushOutbox`] does, as a list of behaviours
//! to run.
//!
//! A store is right when it passes all of them. [`task_store_suite!`](crate::task_store_suite),
//! [`push_config_store_suite!`](crate::push_config_store_suite),
//! [`push_outbox_suite!`](crate::push_outbox_suite) and, for a store that is both,
//! [`joined_outbox_suite!`](crate::joined_outbox_suite) make a Tokio test of each one; [`run_all`]
//! runs them on any other runtime. Needs feature `testkit`, and is outside the promise
//! of semantic versioning: a new behaviour may appear in any release.
//!
//! ```
//! use std::sync::Arc;
//! use a2a_types::store::TaskStore;
//! use a2a_types::testkit::{Subject, TASK_STORE, run_all};
//!
//! async fn check<S: TaskStore>(open: impl AsyncFn() -> S) {
//!     let make = async || Subject::<dyn TaskStore>::new(Arc::new(open().await));
//!     run_all(TASK_STORE, make).await;
//! }
//! ```
#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a failed check is a panic"
)]

mod list;
mod outbox;
mod push;
mod push_paging;
mod subject;
mod support;
mod tasks;

use std::future::Future;

use crate::push::PushOutbox;
use crate::store::{PushConfigStore, TaskStore};

use outbox::{claims, dead, joined, queues};
use tasks::{
    append, concurrency, content, create, events, filters, idempotency, listing, paging, purging,
    scopes,
};

pub use outbox::JoinedStore;
pub use subject::{Job, Subject};

/// What every [`TaskStore`] does.
pub const TASK_STORE: &[Behaviour<dyn TaskStore>] =
    crate::__task_store_behaviours!(__behaviour_table);

/// What every [`PushConfigStore`] does.
pub const PUSH_CONFIG_STORE: &[Behaviour<dyn PushConfigStore>] =
    crate::__push_config_store_behaviours!(__behaviour_table);

/// What every [`PushOutbox`] does.
pub const PUSH_OUTBOX: &[Behaviour<dyn PushOutbox>] =
    crate::__push_outbox_behaviours!(__behaviour_table);

/// What every task store does that is also the outbox.
pub const JOINED_OUTBOX: &[Behaviour<JoinedStore>] =
    crate::__joined_outbox_behaviours!(__behaviour_table);

/// Something that every store of a kind does.
pub struct Behaviour<S: ?Sized> {
    name: &'static str,
    run: fn(Subject<S>) -> Job,
}

impl<S: ?Sized> Behaviour<S> {
    /// The behaviour in words, joined by underscores.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Checks an empty store, which is used up by it.
    ///
    /// # Panics
    ///
    /// When the store behaves otherwise.
    pub async fn run(&self, subject: Subject<S>) {
        (self.run)(subject).await;
    }
}

impl<S: ?Sized> std::fmt::Debug for Behaviour<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Behaviour").field(&self.name).finish()
    }
}

/// Runs the behaviours one after the other, each with an empty store from `make`.
///
/// # Panics
///
/// When a store does not behave; the place of the panic tells which behaviour it was.
pub async fn run_all<S, F, Fut>(behaviours: &[Behaviour<S>], make: F)
where
    S: ?Sized,
    F: Fn() -> Fut,
    Fut: Future<Output = Subject<S>>,
{
    for behaviour in behaviours {
        behaviour.run(make().await).await;
    }
}

/// Runs one behaviour of a list.
#[doc(hidden)]
pub async fn __run<S: ?Sized>(behaviours: &[Behaviour<S>], name: &str, subject: Subject<S>) {
    let behaviour = behaviours.iter().find(|behaviour| behaviour.name == name);
    behaviour
        .expect("the behaviour is in the list")
        .run(subject)
        .await;
}

/// A test for each behaviour of a [`TaskStore`](crate::store::TaskStore).
///
/// Takes a function that makes an empty store, `async fn() -> Subject<dyn TaskStore>`. The crate
/// that uses it depends on `tokio` with the features `macros` and `rt-multi-thread`.
#[macro_export]
macro_rules! task_store_suite {
    ($make:expr) => {
        $crate::__task_store_behaviours!(__behaviour_tests, $crate::testkit::TASK_STORE, $make);
    };
}

/// A test for each behaviour of a [`PushConfigStore`](crate::store::PushConfigStore).
///
/// Takes a function that makes an empty store, `async fn() -> Subject<dyn PushConfigStore>`. The
/// crate that uses it depends on `tokio` with the features `macros` and `rt-multi-thread`.
#[macro_export]
macro_rules! push_config_store_suite {
    ($make:expr) => {
        $crate::__push_config_store_behaviours!(
            __behaviour_tests,
            $crate::testkit::PUSH_CONFIG_STORE,
            $make
        );
    };
}

/// A test for each behaviour of a [`PushOutbox`](crate::push::PushOutbox).
///
/// Takes a function that makes an empty outbox, `async fn() -> Subject<dyn PushOutbox>`. The crate
/// that uses it depends on `tokio` with the features `macros` and `rt-multi-thread`.
#[macro_export]
macro_rules! push_outbox_suite {
    ($make:expr) => {
        $crate::__push_outbox_behaviours!(__behaviour_tests, $crate::testkit::PUSH_OUTBOX, $make);
    };
}

/// A test for each behaviour of a task store that is also the outbox, beyond those of either.
///
/// Takes a function that makes an empty store, `async fn() -> Subject<JoinedStore>`. The crate that
/// uses it depends on `tokio` with the features `macros` and `rt-multi-thread`.
#[macro_export]
macro_rules! joined_outbox_suite {
    ($make:expr) => {
        $crate::__joined_outbox_behaviours!(
            __behaviour_tests,
            $crate::testkit::JOINED_OUTBOX,
            $make
        );
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __behaviour_table {
    ($($module:ident { $($name:ident)* })*) => {
        &[$($($crate::testkit::Behaviour {
            name: stringify!($name),
            run: |subject| Box::pin($crate::testkit::$module::$name(subject)),
        },)*)*]
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __behaviour_tests {
    ($behaviours:expr, $make:expr, $($module:ident { $($name:ident)* })*) => {
        $($(
            #[::tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() {
                let subject = ($make)().await.with_spawn(|job| {
                    let running = ::tokio::spawn(job);
                    ::std::boxed::Box::pin(async move { running.await.unwrap() })
                });
                $crate::testkit::__run($behaviours, stringify!($name), subject).await;
            }
        )*)*
    };
}
