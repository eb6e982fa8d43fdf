//! The functions, as DataFusion sees them.

use std::sync::LazyLock;

use arrow::datatypes::DataType;
use datafusion_common::{Result, plan_err};
use datafusion_expr::{
    ColumnarValue, DocSection, Documentation, ScalarFunctionArgs, ScalarUDFImpl, Signature,
    Volatility,
};

use crate::bytes::{is_text, layout_of};
use crate::call::Call;
use crate::convert::{Direction, convert};
use crate::reports;

const SECTION: DocSection =
    DocSection { include: true, label: "Encodings of text", description: None };

/// A function of SQL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    Valid,
    Decode,
    Encode,
    Transcode,
    Detect,
    Problem,
    Repair,
}

impl Kind {
    pub(crate) const ALL: [Self; 7] = [
        Self::Valid,
        Self::Decode,
        Self::Encode,
        Self::Transcode,
        Self::Detect,
        Self::Problem,
        Self::Repair,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Valid => "utf_valid",
            Self::Decode => "utf_decode",
            Self::Encode => "utf_encode",
            Self::Transcode => "utf_transcode",
            Self::Detect => "utf_detect",
            Self::Problem => "utf_problem",
            Self::Repair => "utf_repair",
        }
    }

    /// The names of the arguments, and how many of them may be missing. The first is binary data or text, the
    /// others are words.
    fn parameters(self) -> (&'static [&'static str], usize) {
        match self {
            Self::Valid => (&["bytes", "encoding"], 1),
            Self::Decode => (&["bytes", "encoding", "on_error"], 1),
            Self::Encode => (&["text", "encoding", "on_error"], 1),
            Self::Transcode => (&["bytes", "from", "to", "on_error"], 1),
            Self::Detect => (&["bytes"], 0),
            Self::Problem => (&["bytes", "encoding"], 0),
            Self::Repair => (&["text"], 0),
        }
    }

    /// `utf_decode(bytes, encoding [, on_error])`.
    fn syntax(self) -> String {
        let (names, optional) = self.parameters();
        let (required, rest) = names.split_at(names.len() - optional);
        let rest: String = rest.iter().map(|name| format!(" [, {name}]")).collect();
        format!("{}({}{rest})", self.name(), required.join(", "))
    }

    /// The type to which an argument is converted; `None` if it cannot be.
    fn coerced(self, argument: usize, given: &DataType) -> Option<DataType> {
        match given {
            DataType::Dictionary(_, values) => self.coerced(argument, values),
            DataType::Null if argument > 0 => Some(DataType::Utf8),
            DataType::Null if self.parameters().0[0] == "text" => Some(DataType::Utf8),
            DataType::Null => Some(DataType::Binary),
            DataType::FixedSizeBinary(_) if argument == 0 => Some(DataType::Binary),
            given if argument > 0 => is_text(given).then(|| given.clone()),
            given => layout_of(given, is_text(given)),
        }
    }

    fn description(self) -> &'static str {
        match self {
            Self::Valid => {
                "Returns whether bytes are valid in an encoding, as UTF-8 if none is given. The UTF-8 of text is checked."
            }
            Self::Decode => "Decodes bytes in an encoding to text. A BOM is removed.",
            Self::Encode => "Encodes text in an encoding.",
            Self::Transcode => "Converts bytes from an encoding to another.",
            Self::Detect => {
                "Guesses the encoding of bytes: a struct of encoding, confidence, sure and evidence."
            }
            Self::Problem => {
                "Returns the first error of bytes in an encoding, or NULL if they are valid: a struct of offset, length, \
                 line, column, kind, clause and message."
            }
            Self::Repair => "Repairs mojibake: text that was decoded with the wrong encoding.",
        }
    }
}

fn about(parameter: &str) -> &'static str {
    match parameter {
        "bytes" => "Binary data; of text, the bytes of its UTF-8.",
        "text" => "Text; binary data is read as UTF-8.",
        "on_error" => {
            "The treatment of invalid values: strict (an error, as without this argument), null, replace, skip, escape, \
             escape-xml, escape-python or surrogateescape."
        }
        _ => "The label of an encoding, in any case.",
    }
}

/// A [`Kind`] with its signature.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct Function {
    kind: Kind,
    signature: Signature,
}

impl Function {
    pub(crate) fn new(kind: Kind) -> Self {
        // `coerce_types` gives better messages than the other signatures, and keeps the layout of the argument.
        Self { kind, signature: Signature::user_defined(Volatility::Immutable) }
    }
}

impl ScalarUDFImpl for Function {
    fn name(&self) -> &str {
        self.kind.name()
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, given: &[DataType]) -> Result<Vec<DataType>> {
        let kind = self.kind;
        let (names, optional) = kind.parameters();
        if given.len() > names.len() || given.len() < names.len() - optional {
            return plan_err!(
                "expected {}, but there are {} arguments",
                kind.syntax(),
                given.len()
            );
        }
        let mut types = Vec::with_capacity(given.len());
        for (at, given) in given.iter().enumerate() {
            let Some(coerced) = kind.coerced(at, given) else {
                let expected = if at == 0 { "binary data or text" } else { "text" };
                let (syntax, name) = (kind.syntax(), names[at]);
                return plan_err!("{syntax}: {name} must be {expected}, not {given}; cast it");
            };
            types.push(coerced);
        }
        Ok(types)
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        let in_layout = |as_text| match types.first().and_then(|first| layout_of(first, as_text)) {
            Some(found) => Ok(found),
            None => plan_err!("{}: unexpected types {types:?}", self.kind.syntax()),
        };
        match self.kind {
            Kind::Valid => Ok(DataType::Boolean),
            Kind::Decode => in_layout(Direction::DECODE.is_text()),
            Kind::Encode => in_layout(Direction::ENCODE.is_text()),
            Kind::Transcode => in_layout(Direction::TRANSCODE.is_text()),
            Kind::Detect => Ok(DataType::Struct(reports::detect_fields())),
            Kind::Problem => Ok(DataType::Struct(reports::problem_fields())),
            Kind::Repair => in_layout(types.first().is_some_and(is_text)),
        }
    }

    fn is_strict(&self) -> bool {
        true
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let call = Call::new(self.kind.name(), &args)?;
        let array = match self.kind {
            Kind::Valid => reports::valid(&call),
            Kind::Decode => convert(&call, &Direction::DECODE),
            Kind::Encode => convert(&call, &Direction::ENCODE),
            Kind::Transcode => convert(&call, &Direction::TRANSCODE),
            Kind::Detect => reports::detect(&call),
            Kind::Problem => reports::problem(&call),
            Kind::Repair => reports::repair(&call, is_text(args.return_type())),
        }?;
        call.result(array)
    }

    fn documentation(&self) -> Option<&Documentation> {
        static ALL: LazyLock<Vec<(Kind, Documentation)>> =
            LazyLock::new(|| Kind::ALL.map(|kind| (kind, documentation(kind))).into());
        ALL.iter().find(|(kind, _)| *kind == self.kind).map(|(_, found)| found)
    }
}

fn documentation(kind: Kind) -> Documentation {
    let mut builder = Documentation::builder(SECTION, kind.description(), kind.syntax());
    for parameter in kind.parameters().0 {
        builder = builder.with_argument(*parameter, about(parameter));
    }
    builder.build()
}
