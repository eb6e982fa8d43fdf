//! The C functions beside the iconv(3) of this machine, in one binary.

#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod beside_glibc;
#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod differences;
