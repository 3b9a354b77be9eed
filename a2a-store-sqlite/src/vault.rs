//! Webhook registrations as they lie on disk: in the open, or encrypted.

use std::fmt;

use a2a_types::store::{StoreError, StoreErrorKind};
use sqlx::{Row as _, SqliteConnection};

use crate::error::OpenError;

/// A key that keeps webhook registrations secret on disk. Feature `encryption`.
///
/// 32 bytes from a good random source. Whoever has them and the file can read the registrations,
/// so they belong elsewhere: into a secret manager, or the environment.
#[cfg(feature = "encryption")]
#[derive(Clone)]
pub struct EncryptionKey(chacha20poly1305::Key);

#[cfg(feature = "encryption")]
impl EncryptionKey {
    /// The key of these bytes.
    #[must_use]
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(bytes.into())
    }
}

#[cfg(feature = "encryption")]
impl fmt::Debug for EncryptionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("EncryptionKey(..)")
    }
}

/// What registrations are kept in.
#[derive(Clone, Default)]
pub(crate) struct Vault {
    /// The first one closes; all of them open.
    #[cfg(feature = "encryption")]
    pub(crate) keys: Vec<EncryptionKey>,
}

impl fmt::Debug for Vault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Vault").finish_non_exhaustive()
    }
}

/// Where a registration lies. It cannot be moved elsewhere by who has the file alone.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(
    not(feature = "encryption"),
    expect(dead_code, reason = "only encryption looks at it")
)]
pub(crate) struct Place<'a>(pub(crate) [&'a str; 4]);

impl Place<'_> {
    #[cfg(feature = "encryption")]
    fn bytes(self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for part in self.0 {
            bytes.extend_from_slice(&(part.len() as u64).to_le_bytes());
            bytes.extend_from_slice(part.as_bytes());
        }
        bytes
    }
}

/// What is sealed to find out whether a key is the right one.
#[cfg(feature = "encryption")]
const PROBE: &[u8] = b"a2a-store-sqlite";
#[cfg(feature = "encryption")]
const PROBE_PLACE: Place<'_> = Place(["", "", "", "key"]);

/// The first byte of what is stored.
const OPEN: u8 = 0;
#[cfg(feature = "encryption")]
const SEALED: u8 = 1;

#[cfg(not(feature = "encryption"))]
impl Vault {
    /// What to store.
    pub(crate) fn close(&self, _: Place<'_>, json: &[u8]) -> Result<Vec<u8>, StoreError> {
        Ok(in_the_open(json))
    }

    /// What was stored.
    pub(crate) fn open(&self, _: Place<'_>, stored: &[u8]) -> Result<Vec<u8>, StoreError> {
        match stored.split_first() {
            Some((&OPEN, json)) => Ok(json.to_vec()),
            _ => Err(locked()),
        }
    }

    /// Refuses a database that is encrypted.
    pub(crate) async fn prepare(&self, connection: &mut SqliteConnection) -> Result<(), OpenError> {
        match probe(connection).await? {
            None => Ok(()),
            Some(_) => Err(OpenError::Key),
        }
    }
}

#[cfg(feature = "encryption")]
mod sealed {
    use chacha20poly1305::aead::{Aead, AeadCore, KeyInit, OsRng, Payload};
    use chacha20poly1305::{XChaCha20Poly1305, XNonce};
    use sqlx::Row as _;
    use sqlx::sqlite::SqliteRow;

    use super::{
        EncryptionKey, OPEN, OpenError, PROBE, PROBE_PLACE, Place, SEALED, SqliteConnection,
        StoreError, Vault, in_the_open, locked, probe,
    };

    const NONCE: usize = 24;

    /// How to read and to replace what is closed.
    const TABLES: [(&str, &str); 2] = [
        (
            "SELECT task_id, id, tenant, principal, config FROM push_configs",
            "UPDATE push_configs SET config = $5 \
             WHERE task_id = $1 AND id = $2 AND tenant = $3 AND principal = $4",
        ),
        (
            "SELECT task_id, id, tenant, principal, config FROM webhooks",
            "UPDATE webhooks SET config = $5 \
             WHERE task_id = $1 AND id = $2 AND tenant = $3 AND principal = $4",
        ),
    ];

    impl Vault {
        /// What to store.
        pub(crate) fn close(&self, place: Place<'_>, json: &[u8]) -> Result<Vec<u8>, StoreError> {
            let Some(EncryptionKey(key)) = self.keys.first() else {
                return Ok(in_the_open(json));
            };
            let nonce = XChaCha20Poly1305::generate_nonce(&mut OsRng);
            let aad = place.bytes();
            let sealed = XChaCha20Poly1305::new(key).encrypt(
                &nonce,
                Payload {
                    msg: json,
                    aad: &aad,
                },
            );
            let sealed = sealed.map_err(|_| locked())?;
            Ok([&[SEALED], nonce.as_slice(), &sealed].concat())
        }

        /// What was stored.
        pub(crate) fn open(&self, place: Place<'_>, stored: &[u8]) -> Result<Vec<u8>, StoreError> {
            match stored.split_first() {
                Some((&OPEN, json)) => Ok(json.to_vec()),
                Some((&SEALED, sealed)) => {
                    let opened = self.keys.iter().find_map(|key| unseal(key, place, sealed));
                    opened.ok_or_else(locked)
                }
                _ => Err(locked()),
            }
        }

        /// Checks the keys, and closes with the first one whatever is not closed with it: that is
        /// how a key is changed.
        pub(crate) async fn prepare(
            &self,
            connection: &mut SqliteConnection,
        ) -> Result<(), OpenError> {
            let probe = probe(connection).await?;
            let opens = |key: &EncryptionKey| match &probe {
                Some(stored) => unseal(key, PROBE_PLACE, stored.get(1..).unwrap_or_default())
                    .is_some_and(|found| found == PROBE),
                None => false,
            };
            match self.keys.split_first() {
                None if probe.is_none() => return Ok(()),
                Some((first, _)) if opens(first) => return Ok(()),
                Some((_, others)) if probe.is_none() || others.iter().any(opens) => {}
                _ => return Err(OpenError::Key),
            }
            // What is replaced is overwritten, not only forgotten.
            sqlx::raw_sql("PRAGMA secure_delete = ON; BEGIN IMMEDIATE")
                .execute(&mut *connection)
                .await?;
            let result = self.close_all(connection).await;
            let end = if result.is_ok() { "COMMIT" } else { "ROLLBACK" };
            sqlx::raw_sql(end).execute(&mut *connection).await?;
            sqlx::raw_sql("PRAGMA secure_delete = OFF; PRAGMA wal_checkpoint(TRUNCATE)")
                .execute(connection)
                .await?;
            result
        }

        async fn close_all(&self, connection: &mut SqliteConnection) -> Result<(), OpenError> {
            let fault = |error: StoreError| OpenError::Database(error.into());
            for (select, update) in TABLES {
                let rows = sqlx::query(select).fetch_all(&mut *connection).await?;
                for row in &rows {
                    let text = |index| row.try_get::<&str, _>(index);
                    let place = Place([text(0)?, text(1)?, text(2)?, text(3)?]);
                    let json = self.open(place, config(row)?).map_err(|_| OpenError::Key)?;
                    let closed = self.close(place, &json).map_err(fault)?;
                    sqlx::query(update)
                        .bind(text(0)?)
                        .bind(text(1)?)
                        .bind(text(2)?)
                        .bind(text(3)?)
                        .bind(closed)
                        .execute(&mut *connection)
                        .await?;
                }
            }
            let probe = self.close(PROBE_PLACE, PROBE).map_err(fault)?;
            sqlx::query("INSERT OR REPLACE INTO meta (name, value) VALUES ('key', $1)")
                .bind(probe)
                .execute(connection)
                .await?;
            Ok(())
        }
    }

    fn config(row: &SqliteRow) -> Result<&[u8], sqlx::Error> {
        row.try_get(4)
    }

    fn unseal(EncryptionKey(key): &EncryptionKey, at: Place<'_>, sealed: &[u8]) -> Option<Vec<u8>> {
        let (nonce, msg) = sealed.split_at_checked(NONCE)?;
        let aad = at.bytes();
        XChaCha20Poly1305::new(key)
            .decrypt(XNonce::from_slice(nonce), Payload { msg, aad: &aad })
            .ok()
    }
}

fn in_the_open(json: &[u8]) -> Vec<u8> {
    [&[OPEN], json].concat()
}

/// What shows whether the database is encrypted, and with which key.
async fn probe(connection: &mut SqliteConnection) -> Result<Option<Vec<u8>>, sqlx::Error> {
    let row = sqlx::query("SELECT value FROM meta WHERE name = 'key'")
        .fetch_optional(connection)
        .await?;
    row.map(|row| row.try_get(0)).transpose()
}

fn locked() -> StoreError {
    StoreError::with_source(
        StoreErrorKind::Internal,
        "a webhook registration cannot be opened with the given keys",
    )
}
