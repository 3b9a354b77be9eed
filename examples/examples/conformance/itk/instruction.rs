//! The kit's instructions, as it encodes them (protobuf package `itk`).

use a2a_types::Part;
use prost::{Enumeration, Message, Oneof};
use serde_json::json;

use super::StepError;

/// The media type of an instruction.
pub(crate) const MEDIA_TYPE: &str = "application/x-protobuf";
const FILE_NAME: &str = "instruction.bin";

/// Whether a part says that an instruction is in it.
pub(super) fn is_in(part: &Part) -> bool {
    part.media_type == MEDIA_TYPE || part.filename == FILE_NAME
}

/// The instruction in a part: its bytes, or its text in base64.
pub(super) fn read(part: &Part) -> Result<Instruction, StepError> {
    let decoded;
    let bytes = match (part.as_raw(), part.as_text()) {
        (Some(bytes), _) => bytes,
        (None, Some(text)) => {
            // The bytes of a part are base64 in JSON, so a part is what decodes it.
            let part = json!({ "raw": text.trim() });
            decoded = serde_json::from_value::<Part>(part)?;
            decoded.as_raw().ok_or("an instruction without content")?
        }
        (None, None) => return Err("an instruction is neither bytes nor text".into()),
    };
    Ok(Instruction::decode(bytes.clone())?)
}

/// A part with an instruction for another agent.
pub(super) fn part(instruction: &Instruction) -> Part {
    Part::raw(instruction.encode_to_vec())
        .with_media_type(MEDIA_TYPE)
        .with_filename(FILE_NAME)
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Instruction {
    #[prost(oneof = "Step", tags = "1, 2, 3")]
    pub(super) step: Option<Step>,
}

#[derive(Clone, PartialEq, Oneof)]
pub(super) enum Step {
    #[prost(message, tag = "1")]
    CallAgent(CallAgent),
    #[prost(message, tag = "2")]
    ReturnResponse(ReturnResponse),
    #[prost(message, tag = "3")]
    Steps(SeriesOfSteps),
}

/// Calls another agent and gives what it says.
#[derive(Clone, PartialEq, Message)]
pub(super) struct CallAgent {
    #[prost(string, tag = "1")]
    pub(super) transport: String,
    #[prost(string, tag = "2")]
    pub(super) agent_card_uri: String,
    /// For the other agent.
    #[prost(message, optional, boxed, tag = "3")]
    pub(super) instruction: Option<Box<Instruction>>,
    #[prost(bool, tag = "4")]
    pub(super) streaming: bool,
    #[prost(oneof = "Behavior", tags = "5, 6, 7")]
    pub(super) behavior: Option<Behavior>,
}

#[derive(Clone, PartialEq, Oneof)]
pub(super) enum Behavior {
    #[prost(message, tag = "5")]
    SendMessage(Nothing),
    /// Has the other agent notify a receiver.
    #[prost(message, tag = "6")]
    PushNotification(PushNotification),
    /// Leaves the stream, comes back, and cancels the task in the end.
    #[prost(message, tag = "7")]
    Resubscribe(Nothing),
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Nothing {}

#[derive(Clone, PartialEq, Message)]
pub(super) struct PushNotification {
    #[prost(string, tag = "1")]
    pub(super) url: String,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct ReturnResponse {
    #[prost(string, tag = "1")]
    pub(super) response: String,
    #[prost(bool, tag = "2")]
    pub(super) hold_task: bool,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct SeriesOfSteps {
    #[prost(message, repeated, tag = "1")]
    pub(super) instructions: Vec<Instruction>,
    /// There is no other way to put results together than the one that we know.
    #[prost(enumeration = "ResponseGenerator", tag = "2")]
    pub(super) response_generator: i32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Enumeration)]
#[repr(i32)]
pub(super) enum ResponseGenerator {
    Unspecified = 0,
    Concat = 1,
}

impl Instruction {
    /// Whether the task is to be held when it has its results. What another agent is told to do does
    /// not count.
    pub(super) fn holds(&self) -> bool {
        match &self.step {
            Some(Step::ReturnResponse(response)) => response.hold_task,
            Some(Step::Steps(steps)) => steps.instructions.iter().any(Self::holds),
            Some(Step::CallAgent(_)) | None => false,
        }
    }
}
