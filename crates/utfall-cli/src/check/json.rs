//! Lines of JSON.

pub(crate) use utfall_bind::check::{File, Object, Summary, names};

use super::report::Problem;
use crate::file_name::FileName;

pub(crate) fn problem<'a>(problem: &'a Problem<'_>) -> Object<'a> {
    utfall_bind::check::problem(utfall_bind::check::Problem {
        file: FileName::of_source(problem.source),
        rule: problem.rule,
        level: problem.level,
        position: problem.position,
        offset: problem.offset,
        length: problem.length,
        message: &problem.message,
        clause: problem.clause,
        detail: &problem.detail,
    })
}
