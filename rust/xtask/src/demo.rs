pub fn run(_: &crate::paths::Paths, _: &crate::args::DemoOptions) -> crate::problem::Outcome<std::process::ExitCode> { todo!() }
