//! Which of the card's alternatives is used.

use std::sync::Arc;

use a2a_types::AgentCard;
use http::HeaderMap;
use http::header::COOKIE;

use super::{Credential, CredentialsProvider, Demand, Placement, secret};
use crate::Error;

/// The credentials of one call.
#[derive(Clone, Default)]
pub(crate) struct Chosen(Vec<Choice>);

#[derive(Clone)]
struct Choice {
    provider: Arc<dyn CredentialsProvider>,
    credential: Credential,
    placement: Placement,
}

impl Chosen {
    /// Puts the credentials into a request.
    pub(crate) fn apply(
        &self,
        headers: &mut HeaderMap,
        query: &mut Vec<(String, String)>,
    ) -> Result<(), Error> {
        let mut cookies = Vec::new();
        for choice in &self.0 {
            match &choice.placement {
                Placement::Header(name, value) => {
                    headers.insert(name, value.clone());
                }
                Placement::Query(name, value) => query.push((name.clone(), value.clone())),
                Placement::Cookie(pair) => cookies.push(pair.as_str()),
            }
        }
        if !cookies.is_empty() {
            let own = headers.get(COOKIE).and_then(|own| own.to_str().ok());
            cookies.extend(own);
            let value = secret(&cookies.join("; "))?;
            headers.insert(COOKIE, value);
        }
        Ok(())
    }

    /// Tells the providers of a 401; whether to try again.
    pub(crate) async fn refused(&self) -> bool {
        let mut again = false;
        for choice in &self.0 {
            again |= choice.provider.refused(&choice.credential).await;
        }
        again
    }
}

/// The credentials for an agent with this card; none when nobody has any, or none are wanted.
pub(crate) async fn choose(
    providers: &[Arc<dyn CredentialsProvider>],
    card: Option<&AgentCard>,
) -> Result<Chosen, Error> {
    if providers.is_empty() {
        return Ok(Chosen::default());
    }
    let requirements = card.map_or(&[][..], |card| &card.security_requirements);
    'alternatives: for requirement in requirements {
        let mut chosen = Vec::new();
        for (name, scopes) in &requirement.schemes {
            let scheme = card.and_then(|card| card.security_schemes.get(name));
            let Some(scheme) = scheme else {
                continue 'alternatives;
            };
            let demand = Demand {
                scheme: Some((name, scheme)),
                scopes: &scopes.list,
            };
            match ask(providers, &demand).await? {
                Some(choice) => chosen.push(choice),
                None => continue 'alternatives,
            }
        }
        return Ok(Chosen(chosen));
    }
    let demand = Demand {
        scheme: None,
        scopes: &[],
    };
    let choice = ask(providers, &demand).await?;
    Ok(Chosen(choice.into_iter().collect()))
}

async fn ask(
    providers: &[Arc<dyn CredentialsProvider>],
    demand: &Demand<'_>,
) -> Result<Option<Choice>, Error> {
    let scheme = demand.scheme.map(|(_, scheme)| scheme);
    for provider in providers {
        let Some(credential) = provider.credential(demand).await? else {
            continue;
        };
        if let Some(placement) = credential.place(scheme)? {
            let provider = Arc::clone(provider);
            return Ok(Some(Choice {
                provider,
                credential,
                placement,
            }));
        }
    }
    Ok(None)
}
