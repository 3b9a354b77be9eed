//! Generates the Rust code of `a2a-types` and `a2a-grpc` from `proto/a2a.proto`.
//!
//! ```text
//! cargo run -p a2a-codegen                        write both `src/generated`
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
mod service;
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
    for (path, content) in generate()? {
        let path = root().join(path);
        path.parent().map(fs::create_dir_all).transpose()?;
        fs::write(path, content)?;
    }
    Ok(())
}

fn check() -> Result<()> {
    let stale: Vec<&str> = generate()?
        .into_iter()
        .filter(|(path, content)| fs::read(root().join(path)).ok().as_ref() != Some(content))
        .map(|(path, _)| path)
        .collect();
    if stale.is_empty() {
        return Ok(());
    }
    Err(format!(
        "stale: {}; run `cargo run -p a2a-codegen` and commit the result",
        stale.join(", ")
    )
    .into())
}

fn descriptor(path: &Path) -> Result<()> {
    Ok(fs::write(path, compile()?.encode_file_descriptor_set())?)
}

/// Every generated file: its path in the repository and its content.
fn generate() -> Result<Vec<(&'static str, Vec<u8>)>> {
    let compiler = compile()?;
    let model = Model::read(&compiler.descriptor_pool())?;
    let descriptors = || compiler.file_descriptor_set();
    let code = [
        (
            "a2a-types/src/generated/messages.rs",
            messages::generate(descriptors())?,
        ),
        ("a2a-types/src/generated/json.rs", json::generate(&model)?),
        ("a2a-types/src/generated/check.rs", check::generate(&model)?),
        (
            "a2a-types/src/generated/setters.rs",
            setters::generate(&model)?,
        ),
        (
            "a2a-types/src/generated/operations.rs",
            operations::generate(&model)?,
        ),
        (
            "a2a-grpc/src/generated/service.rs",
            service::generate(descriptors())?,
        ),
    ];
    let files = code.into_iter().map(|(path, code)| {
        let syntax = syn::parse_file(&code).map_err(|error| format!("{path}: {error}\n{code}"))?;
        let code = format!("{HEADER}{}", prettyplease::unparse(&syntax));
        Ok((path, code.into_bytes()))
    });
    let mut files: Vec<_> = files.collect::<Result<_>>()?;
    files.push(("a2a-grpc/src/generated/descriptor.bin", plain_descriptor()?));
    Ok(files)
}

/// What server reflection shows: the descriptors without their comments.
fn plain_descriptor() -> Result<Vec<u8>> {
    let mut compiler = protox::Compiler::new([proto_directory()])?;
    compiler.include_imports(true).open_file("a2a.proto")?;
    Ok(compiler.encode_file_descriptor_set())
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

fn root() -> PathBuf {
    proto_directory().join("..")
}

#[cfg(test)]
mod tests {
    #[test]
    fn generated_code_is_current() {
        super::check().unwrap();
    }
}
