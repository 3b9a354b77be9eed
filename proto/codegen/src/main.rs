//! Generates the Rust code of `a2a-types` from `proto/a2a.proto`.
//!
//! ```text
//! cargo run -p a2a-codegen                        write a2a-types/src/generated
//! cargo run -p a2a-codegen -- --check             fail when what is there is stale
//! cargo run -p a2a-codegen -- --descriptor FILE   write the compiled FileDescriptorSet
//! ```
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command line tool speaks to its terminal"
)]

mod check;
mod json;
mod messages;
mod model;
mod operations;
mod setters;

use std::{
    error::Error,
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

use model::Model;

/// What every step may fail with; `main` prints it.
type Result<T> = std::result::Result<T, Box<dyn Error>>;

const HEADER: &str =
    "// Generated from proto/a2a.proto by `cargo run -p a2a-codegen`. Do not edit.\n\n";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match arguments.as_slice() {
        [] => write(),
        ["--check"] => check(),
        ["--descriptor", path] => descriptor(Path::new(path)),
        _ => Err("usage: a2a-codegen [--check | --descriptor FILE]".into()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("a2a-codegen: {error}");
            ExitCode::FAILURE
        }
    }
}

fn write() -> Result<()> {
    let directory = output_directory();
    fs::create_dir_all(&directory)?;
    for (name, content) in generate()? {
        fs::write(directory.join(name), content)?;
    }
    Ok(())
}

fn check() -> Result<()> {
    let directory = output_directory();
    let stale: Vec<&str> = generate()?
        .into_iter()
        .filter(|(name, content)| {
            fs::read_to_string(directory.join(name)).ok().as_ref() != Some(content)
        })
        .map(|(name, _)| name)
        .collect();
    if stale.is_empty() {
        return Ok(());
    }
    Err(format!(
        "a2a-types/src/generated is stale ({}); run `cargo run -p a2a-codegen` and commit the result",
        stale.join(", ")
    )
    .into())
}

fn descriptor(path: &Path) -> Result<()> {
    Ok(fs::write(path, compile()?.encode_file_descriptor_set())?)
}

/// Every generated file: its name and its content.
fn generate() -> Result<Vec<(&'static str, String)>> {
    let compiler = compile()?;
    let model = Model::read(&compiler.descriptor_pool())?;
    let files = [
        (
            "messages.rs",
            messages::generate(compiler.file_descriptor_set())?,
        ),
        ("json.rs", json::generate(&model)?),
        ("check.rs", check::generate(&model)?),
        ("setters.rs", setters::generate(&model)?),
        ("operations.rs", operations::generate(&model)?),
    ];
    files
        .into_iter()
        .map(|(name, code)| {
            let syntax =
                syn::parse_file(&code).map_err(|error| format!("{name}: {error}\n{code}"))?;
            Ok((name, format!("{HEADER}{}", prettyplease::unparse(&syntax))))
        })
        .collect()
}

fn compile() -> Result<protox::Compiler> {
    let mut compiler = protox::Compiler::new([proto_directory()])?;
    compiler
        .include_imports(true)
        .include_source_info(true)
        .open_file("a2a.proto")?;
    Ok(compiler)
}

fn proto_directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn output_directory() -> PathBuf {
    proto_directory().join("../a2a-types/src/generated")
}

#[cfg(test)]
mod tests {
    #[test]
    fn generated_code_is_current() {
        super::check().unwrap();
    }
}
