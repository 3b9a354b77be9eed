//! The command line.

use std::{collections::HashMap, time::Duration};

pub struct Options {
    pub port: u16,
    pub grpc_port: Option<u16>,
    pub pace: Duration,
    pub bare: bool,
    pub broken: bool,
    pub extension: Option<String>,
    /// The name of the caller for each token; everybody may call when there are none.
    pub tokens: Option<HashMap<String, String>>,
}

impl Options {
    pub fn of(mut arguments: impl Iterator<Item = String>) -> Self {
        let mut options = Self {
            port: 0,
            grpc_port: None,
            pace: Duration::from_millis(400),
            bare: false,
            broken: false,
            extension: None,
            tokens: None,
        };
        while let Some(name) = arguments.next() {
            let mut value = || arguments.next().expect("the option has a value");
            match name.as_str() {
                "--port" => options.port = value().parse().expect("a port"),
                "--grpc-port" => options.grpc_port = Some(value().parse().expect("a port")),
                "--pace" => {
                    options.pace = Duration::from_secs_f64(value().parse().expect("seconds"));
                }
                "--bare" => options.bare = true,
                "--broken" => options.broken = true,
                "--require-extension" => options.extension = Some(value()),
                "--auth" => options.tokens = tokens(&value()),
                _ => panic!("unknown option {name}"),
            }
        }
        options
    }
}

/// `none`, or `bearer:TOKEN=NAME` with more such pairs after commas.
fn tokens(text: &str) -> Option<HashMap<String, String>> {
    if text == "none" {
        return None;
    }
    let pairs = text
        .strip_prefix("bearer:")
        .expect("none or bearer:TOKEN=NAME,...");
    let pair = |pair: &str| {
        let (token, name) = pair.rsplit_once('=').expect("TOKEN=NAME");
        (token.to_owned(), name.to_owned())
    };
    Some(pairs.split(',').map(pair).collect())
}
