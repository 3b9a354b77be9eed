/// Whether the server streams.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Streaming {
    /// It does. The default.
    #[default]
    On,
    /// It does not, and its card says so.
    Off,
}

/// Whether the media types of a message's parts are checked (A2A §3.1.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum InputModes {
    /// Everything reaches the agent. The default.
    #[default]
    Unchecked,
    /// Parts of a type that is neither among the card's default input modes nor among those of one of
    /// its skills are refused.
    Checked,
}

/// Who may read the extended card.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExtendedCardAccess {
    /// Authenticated callers (A2A §13.3). The default.
    #[default]
    Authenticated,
    /// Everybody. For tests: the protocol does not allow it.
    Everybody,
}
