//! Generates the Rust code of `a2a-types`.
fn main() {}
