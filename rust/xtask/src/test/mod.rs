pub fn run(_: &crate::paths::Paths, _: Option<&str>) -> crate::problem::Outcome<std::process::ExitCode> { todo!() }
