use std::sync::Arc;

use a2a_types::card::AgentCardBuilder;
use a2a_types::{A2aError, AgentCard, GetExtendedAgentCardRequest};
use futures::future::BoxFuture;

use super::Handler;
use crate::CallContext;
use crate::pipeline::{Call, SharedAnswer};

/// Begins the extended card for a caller; what the server offers is added to it.
pub(crate) type CardProvider = Arc<
    dyn Fn(Arc<CallContext>) -> BoxFuture<'static, Result<AgentCardBuilder, A2aError>>
        + Send
        + Sync,
>;

/// The extended agent card of a server.
#[derive(Clone)]
pub(crate) enum ExtendedCard {
    /// There is none, and the card does not promise one.
    Unsupported,
    /// The card promises one, and it is not set up.
    Unconfigured(Callers),
    Provided(Callers, CardProvider),
}

/// Who may see the extended card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Callers {
    Authenticated,
    Everybody,
}

impl Handler {
    /// A2A §3.1.11, §13.3: first who asks, then what there is.
    pub(crate) async fn get_extended_card(
        &self,
        call: Call<GetExtendedAgentCardRequest>,
    ) -> Result<SharedAnswer<AgentCard>, A2aError> {
        let (callers, provider) = match &self.extended_card {
            ExtendedCard::Unsupported => {
                let text = "an extended agent card is not supported by this agent";
                return Err(A2aError::unsupported_operation(text));
            }
            ExtendedCard::Unconfigured(callers) => (*callers, None),
            ExtendedCard::Provided(callers, provider) => (*callers, Some(provider)),
        };
        if callers == Callers::Authenticated && call.context.caller.is_anonymous() {
            return Err(A2aError::unauthenticated(
                "the extended agent card needs authentication",
            ));
        }
        let provider = provider.ok_or_else(A2aError::extended_card_not_configured)?;
        let builder = provider(call.context).await?;
        let card = self.card.finish(builder).map_err(A2aError::internal)?;
        Ok(SharedAnswer(Arc::new(card)))
    }
}
