//! Messages and enums, by `prost-build`.

use std::fs;

use prost_types::FileDescriptorSet;

use crate::Result;

/// Messages that hold secrets: `a2a-types` writes their `Debug` by hand.
const SECRET: [&str; 2] = [
    ".lf.a2a.v1.AuthenticationInfo",
    ".lf.a2a.v1.TaskPushNotificationConfig",
];

pub(crate) fn generate(descriptors: FileDescriptorSet) -> Result<String> {
    let directory = std::env::temp_dir().join(format!("a2a-codegen-{}", std::process::id()));
    fs::create_dir_all(&directory)?;
    let code = prost_build::Config::new()
        .out_dir(&directory)
        .bytes(["."])
        .btree_map(["."])
        .compile_well_known_types()
        .extern_path(".google.protobuf.Empty", "crate::Empty")
        .extern_path(".google.protobuf.Struct", "crate::Struct")
        .extern_path(".google.protobuf.Timestamp", "crate::Timestamp")
        .extern_path(".google.protobuf.Value", "crate::Value")
        .message_attribute(".lf.a2a.v1", "#[non_exhaustive]")
        .enum_attribute(".lf.a2a.v1", "#[non_exhaustive]")
        .skip_debug(SECRET)
        .compile_fds(descriptors)
        .and_then(|()| fs::read_to_string(directory.join("lf.a2a.v1.rs")));
    fs::remove_dir_all(&directory)?;
    Ok(code?)
}
