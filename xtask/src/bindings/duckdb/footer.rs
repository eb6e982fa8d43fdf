//! The last 512 bytes of an extension, by which DuckDB decides whether to load it.
//!
//! They are eight fields of 32 bytes, filled with zeros, and a signature of 256 bytes, which is zero in an
//! unsigned extension. The fields, from the last to the first, are: the version of this format, the
//! platform, the version of the C API, the version of the extension, the kind of interface, and three that
//! are reserved.

/// The version of DuckDB's C extension API that the extension uses. Later versions of DuckDB have it too.
const API: &str = "v1.2.0";

/// The stable C API, which is a struct of function pointers.
const INTERFACE: &str = "C_STRUCT";

const FIELD: usize = 32;
const SIGNATURE: usize = 256;

/// The footer of an extension for a platform of DuckDB, such as `linux_amd64`.
pub(super) fn footer(platform: &str, version: &str) -> Result<Vec<u8>, String> {
    let fields = ["", "", "", INTERFACE, version, API, platform, "4"];
    let mut bytes = Vec::with_capacity(fields.len() * FIELD + SIGNATURE);
    for field in fields {
        if field.len() > FIELD {
            return Err(format!("{field:?} has more than {FIELD} bytes"));
        }
        bytes.extend_from_slice(field.as_bytes());
        bytes.resize(bytes.len().next_multiple_of(FIELD), 0);
        if field.is_empty() {
            bytes.resize(bytes.len() + FIELD, 0);
        }
    }
    bytes.resize(bytes.len() + SIGNATURE, 0);
    Ok(bytes)
}

/// DuckDB's name of the platform that this program was built for.
pub(super) fn platform() -> Option<&'static str> {
    let is_musl = cfg!(target_env = "musl");
    Some(match (std::env::consts::OS, std::env::consts::ARCH) {
        ("linux", "x86_64") if is_musl => "linux_amd64_musl",
        ("linux", "aarch64") if is_musl => "linux_arm64_musl",
        ("linux", "x86_64") => "linux_amd64",
        ("linux", "aarch64") => "linux_arm64",
        ("macos", "x86_64") => "osx_amd64",
        ("macos", "aarch64") => "osx_arm64",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_at_their_places() {
        let footer = footer("linux_amd64", "0.1.0").unwrap();
        assert_eq!(footer.len(), 512);
        let field = |at: usize| {
            let text = str::from_utf8(&footer[at * FIELD..][..FIELD]).unwrap();
            text.trim_end_matches('\0')
        };
        let expected = ["", "", "", "C_STRUCT", "0.1.0", "v1.2.0", "linux_amd64", "4"];
        let found: [&str; 8] = std::array::from_fn(field);
        assert_eq!(found, expected);
        assert!(footer[256..].iter().all(|byte| *byte == 0));
        assert!(super::footer("linux_amd64", &"1".repeat(33)).is_err());
    }
}
