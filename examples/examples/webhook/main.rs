//! Both sides of a webhook in one program: an agent that sends signed notifications, and a client
//! that asks for them, goes away, and checks what arrives.
//!
//! ```console
//! cargo run --example webhook
//! ```
#![allow(clippy::print_stdout)] // It tells what happens.

mod agent;
mod client;

use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    tracing_subscriber::fmt().init();
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let url = format!("http://{}", listener.local_addr()?);
    let app = agent::app(&url)?;
    tokio::spawn(async move { axum::serve(listener, app).await });
    println!("agent: {url}");
    client::run(&url).await
}
