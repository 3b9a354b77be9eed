//! The extension by which a server promises that a repeated send makes no second task.

use std::time::Duration;

use crate::{AgentCard, AgentExtension, Struct};

const WINDOW: &str = "windowSeconds";
const CALLERS: &str = "callers";
const AUTHENTICATED: &str = "authenticated";
const EVERYBODY: &str = "everybody";

/// *Safe resends*: the server's promise that a send may be repeated.
///
/// A client whose connection breaks before the answer cannot know whether the agent has begun to
/// work, and the protocol lets it not repeat the send (A2A §3.3.1). A server that declares this
/// extension recognizes the repetition:
///
/// - Two requests of SendMessage or SendStreamingMessage are the same when they are from the same
///   caller in the same tenant and have equal `message` (with its `messageId`) and `configuration`.
/// - For `windowSeconds` after the first, the same request makes no second task. It is answered with
///   the task of the first one: once that has got so far as the request asks for, or by a stream
///   that begins with the task as it is.
/// - It holds for `callers`: those who are `authenticated`, or `everybody`.
/// - It holds for messages that begin a task. One with a `taskId`, and one that the agent answers
///   with a direct message and not with a task, is a new one each time.
///
/// Nothing travels beside what the protocol has: clients need not ask for the extension, and it is
/// never required. In a card it is
///
/// ```json
/// {
///   "uri": "urn:a2a-rust:safe-resends:v1",
///   "description": "A repeated send makes no second task.",
///   "params": {"callers": "authenticated", "windowSeconds": 86400}
/// }
/// ```
///
/// `a2a-server` declares it by itself wherever it is true, and `a2a-client` then repeats sends.
///
/// ```
/// use std::time::Duration;
/// use a2a_types::AgentCard;
/// use a2a_types::extensions::{ResendCallers, SafeResends};
///
/// let offer = SafeResends::new(Duration::from_secs(3600), ResendCallers::Authenticated);
/// let card = AgentCard::default()
///     .with_capabilities(a2a_types::AgentCapabilities::default().with_extensions([offer]));
/// assert_eq!(SafeResends::of(&card), Some(offer));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SafeResends {
    /// For how long after a send its repetitions are recognized, in whole seconds.
    pub window: Duration,
    /// Whose repetitions are recognized.
    pub callers: ResendCallers,
}

/// Whose sends [`SafeResends`] recognizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ResendCallers {
    /// Those of callers who have shown who they are.
    Authenticated,
    /// Those of anonymous callers as well, who all count as one.
    Everybody,
}

impl SafeResends {
    /// The extension in a card.
    pub const URI: &'static str = "urn:a2a-rust:safe-resends:v1";

    /// The promise for these callers. Parts of a second of the window are not promised.
    #[must_use]
    pub fn new(window: Duration, callers: ResendCallers) -> Self {
        let window = Duration::from_secs(window.as_secs());
        Self { window, callers }
    }

    /// What a card promises; `None` when it does not declare the extension, or in a way that is not
    /// understood.
    #[must_use]
    pub fn of(card: &AgentCard) -> Option<Self> {
        let mut declared = card.capabilities.as_ref()?.extensions.iter();
        let declared = declared.find(|extension| extension.uri == Self::URI)?;
        let params = declared.params.as_ref()?;
        let callers = match params.get(CALLERS)?.as_str()? {
            AUTHENTICATED => ResendCallers::Authenticated,
            EVERYBODY => ResendCallers::Everybody,
            _ => return None,
        };
        let window = params.get(WINDOW)?.as_u64()?;
        Some(Self::new(Duration::from_secs(window), callers))
    }
}

impl From<SafeResends> for AgentExtension {
    fn from(offer: SafeResends) -> Self {
        let callers = match offer.callers {
            ResendCallers::Authenticated => AUTHENTICATED,
            ResendCallers::Everybody => EVERYBODY,
        };
        let mut params = Struct::new();
        params.insert(CALLERS.to_owned(), callers.into());
        params.insert(WINDOW.to_owned(), offer.window.as_secs().into());
        Self::default()
            .with_uri(SafeResends::URI)
            .with_description("A repeated send makes no second task.")
            .with_params(params)
    }
}
