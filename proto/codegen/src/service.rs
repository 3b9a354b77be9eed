//! The gRPC service and client, by `tonic-prost-build`, over the messages of `a2a-types`.

use std::fs;

use prost_types::FileDescriptorSet;

use crate::Result;

pub(crate) fn generate(descriptors: FileDescriptorSet) -> Result<String> {
    let directory = std::env::temp_dir().join(format!("a2a-codegen-grpc-{}", std::process::id()));
    fs::create_dir_all(&directory)?;
    let code = tonic_prost_build::configure()
        .out_dir(&directory)
        .build_transport(false)
        .compile_well_known_types(true)
        .extern_path(".lf.a2a.v1", "::a2a_types")
        .extern_path(".google.protobuf", "::a2a_types")
        .client_mod_attribute(".", "#[cfg(feature = \"client\")]")
        .server_mod_attribute(".", "#[cfg(feature = \"server\")]")
        .emit_rerun_if_changed(false)
        .compile_fds(descriptors)
        .and_then(|()| fs::read_to_string(directory.join("lf.a2a.v1.rs")));
    fs::remove_dir_all(&directory)?;
    Ok(code?)
}
