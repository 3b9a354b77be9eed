//! Runnable agents and clients; see the example targets.
