//! OAuth 2.0 client credentials (RFC 6749 §4.4).

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use a2a_types::A2aError;
use async_trait::async_trait;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use form_urlencoded::byte_serialize;
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderValue, Method};
use reqwest::{Client, Url};
use serde::{Deserialize, Deserializer};
use tokio::sync::Mutex;
use tokio::time::{Instant, timeout};

use super::fixed::takes_token;
use super::{Credential, CredentialsProvider, Demand, secret};
use crate::origin::is_secure;
use crate::transport::{Context, http as web};
use crate::{Error, Failure, connect};

/// A token that does not say how long it lives is used for so long.
const DEFAULT_LIFETIME: Duration = Duration::from_secs(300);
/// A token is replaced so long before its end, or after nine tenths of its life if that is later.
const EARLY: Duration = Duration::from_secs(60);
/// No token answer is larger.
const MAX_ANSWER: usize = 64 * 1024;
/// A token endpoint that needs longer counts as down.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Tokens that the client gets for itself from an authorization server.
///
/// A token is kept, and replaced before it ends, by one request however many calls wait for it. An
/// agent that refuses one with 401 is asked once more with a new one.
///
/// The address of the authorization server must be given: one that a card names could be anybody's,
/// and would be told the secret. It must be `https`, except on this machine.
///
/// ```
/// use a2a_client::auth::ClientCredentials;
///
/// let provider = ClientCredentials::new("https://login.example.com/token", "me", "secret")?
///     .with_scopes(["tasks.read"]);
/// # Ok::<(), a2a_client::Error>(())
/// ```
pub struct ClientCredentials {
    token_url: Url,
    id: String,
    secret: String,
    scopes: Vec<String>,
    parameters: Vec<(String, String)>,
    authentication: ClientAuthentication,
    client: Client,
    /// The tokens by scope. Who fetches one holds the lock, and the others find it.
    tokens: Mutex<BTreeMap<String, Token>>,
}

struct Token {
    credential: Credential,
    replace_at: Instant,
}

/// How the client shows its id and secret to the authorization server (RFC 6749 §2.3.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ClientAuthentication {
    /// In the `Authorization` header, as every server must support it.
    #[default]
    Basic,
    /// In the body.
    Body,
}

impl ClientCredentials {
    /// Tokens from this address, for this client.
    ///
    /// # Errors
    ///
    /// When the address is none, or is not `https` and elsewhere than on this machine.
    pub fn new(
        token_url: &str,
        id: impl Into<String>,
        secret: impl Into<String>,
    ) -> Result<Self, Error> {
        let token_url: Url = token_url.parse().map_err(|error| {
            let message = format!("{token_url:?} is no address of a token endpoint");
            Error::new(Failure::Request, message).with_source(error)
        })?;
        if !is_secure(&token_url) {
            let message = "a client secret is not sent over plain http; use https";
            return Err(Error::new(Failure::Request, message));
        }
        Ok(Self {
            token_url,
            id: id.into(),
            secret: secret.into(),
            scopes: Vec::new(),
            parameters: Vec::new(),
            authentication: ClientAuthentication::default(),
            client: connect::Connect::default().client()?,
            tokens: Mutex::default(),
        })
    }

    /// Sets the scopes to ask for. Without them, those that the card requires.
    #[must_use]
    pub fn with_scopes(mut self, scopes: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.scopes = scopes.into_iter().map(Into::into).collect();
        self
    }

    /// Adds a parameter to the token request, such as `audience` or `resource`.
    #[must_use]
    pub fn with_parameter(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.parameters.push((name.into(), value.into()));
        self
    }

    /// Sets how id and secret are shown to the authorization server.
    #[must_use]
    pub fn with_authentication(mut self, authentication: ClientAuthentication) -> Self {
        self.authentication = authentication;
        self
    }

    async fn token(&self, scope: &str) -> Result<Credential, Error> {
        let mut tokens = self.tokens.lock().await;
        if let Some(token) = tokens.get(scope)
            && Instant::now() < token.replace_at
        {
            return Ok(token.credential.clone());
        }
        let fetched = timeout(TIMEOUT, self.fetch(scope)).await;
        let fetched = fetched.unwrap_or_else(|_| {
            let message = "the token endpoint did not answer in time";
            Err(Error::new(Failure::Timeout, message))
        });
        // Whatever became of the token, the agent has not heard of the call.
        let (token, lifetime) = fetched.map_err(Error::with_unsent)?;
        let credential = Credential::bearer(token);
        let use_for = lifetime.saturating_sub(EARLY).max(lifetime * 9 / 10);
        let token = Token {
            credential: credential.clone(),
            replace_at: Instant::now() + use_for,
        };
        tokens.insert(scope.to_owned(), token);
        Ok(credential)
    }

    async fn fetch(&self, scope: &str) -> Result<(String, Duration), Error> {
        let request = self.request(scope)?;
        let response = web::exchange(&self.client, request, |status, body| {
            // `{"error":"invalid_client"}` (RFC 6749 §5.2)
            Some(A2aError::from_http(status.as_u16(), body))
        });
        let response = response.await.map_err(|error| {
            let message = format!("no token from {}: {error}", web::place(&self.token_url));
            let outer = match error.failure() {
                Failure::Protocol => Error::refused(A2aError::unauthenticated(message)),
                failure => Error::new(failure, message),
            };
            outer.with_source(error)
        })?;
        let body = web::body(response, MAX_ANSWER).await?;
        let answer: Answer = serde_json::from_slice(&body).map_err(|_| {
            // The cause could quote the token.
            Error::new(
                Failure::Request,
                "the token endpoint sent no token that can be read",
            )
        })?;
        let lifetime = answer.expires_in.map(Duration::from_secs);
        // A year and forever are the same, and can be added to a time.
        let year = Duration::from_secs(365 * 24 * 60 * 60);
        Ok((
            answer.access_token,
            lifetime.unwrap_or(DEFAULT_LIFETIME).min(year),
        ))
    }

    fn request(&self, scope: &str) -> Result<reqwest::Request, Error> {
        let mut form = form_urlencoded::Serializer::new(String::new());
        form.append_pair("grant_type", "client_credentials");
        if !scope.is_empty() {
            form.append_pair("scope", scope);
        }
        form.extend_pairs(&self.parameters);
        let mut own = vec![
            (ACCEPT, web::JSON),
            (
                CONTENT_TYPE,
                HeaderValue::from_static("application/x-www-form-urlencoded"),
            ),
        ];
        match self.authentication {
            ClientAuthentication::Body => {
                form.append_pair("client_id", &self.id);
                form.append_pair("client_secret", &self.secret);
            }
            ClientAuthentication::Basic => {
                // Both are form-encoded first (RFC 6749 §2.3.1).
                let encode = |text: &str| byte_serialize(text.as_bytes()).collect::<String>();
                let pair = format!("{}:{}", encode(&self.id), encode(&self.secret));
                let value = secret(&format!("Basic {}", STANDARD.encode(pair)))?;
                own.push((AUTHORIZATION, value));
            }
        }
        let context = Context::default();
        let body = form.finish().into_bytes();
        let url = self.token_url.clone();
        Ok(web::request(Method::POST, url, &context, own, Some(body)))
    }
}

#[async_trait]
impl CredentialsProvider for ClientCredentials {
    async fn credential(&self, demand: &Demand<'_>) -> Result<Option<Credential>, Error> {
        if !demand.scheme.is_none_or(|(_, scheme)| takes_token(scheme)) {
            return Ok(None);
        }
        let scopes = match self.scopes.is_empty() {
            true => demand.scopes,
            false => &self.scopes,
        };
        self.token(&scopes.join(" ")).await.map(Some)
    }

    async fn refused(&self, credential: &Credential) -> bool {
        // Of many calls that are refused at once, the first drops the token; the others come too
        // late for it, and find its successor.
        self.tokens
            .lock()
            .await
            .retain(|_, token| token.credential != *credential);
        true
    }
}

impl fmt::Debug for ClientCredentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientCredentials")
            .field("token_url", &web::place(&self.token_url))
            .field("id", &self.id)
            .field("scopes", &self.scopes)
            .finish_non_exhaustive()
    }
}

#[derive(Deserialize)]
struct Answer {
    access_token: String,
    #[serde(default, deserialize_with = "seconds")]
    expires_in: Option<u64>,
}

/// Seconds as a number or, from some servers, as text.
fn seconds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    Ok(
        match Option::<serde_json::Value>::deserialize(deserializer)? {
            Some(serde_json::Value::Number(number)) => number.as_u64(),
            Some(serde_json::Value::String(text)) => text.parse().ok(),
            _ => None,
        },
    )
}
