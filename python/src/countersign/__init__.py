"""Signs operations, has them countersigned by a Countersign service, keeps the receipts, and records what an agent does."""

from .agent import Agent
from .canonical import canonical_bytes, canonicalize, parse_json
from .client import ServiceClient
from .decisions import CheckedDecision, DecisionError
from .errors import AgentError, EndNotRecorded, ProtocolError
from .keys import KeyPair, generate_key_pair, read_seed
from .open_action import Call, OpenAction
from .receipts import Receipt, parse_receipt, verify_receipt
from .recorder import RecorderClient
from .records import Operation, RecordSigner, SignedRecord
from .session import Session, current_session, recorded
from .session_options import Question, SessionOptions

__all__ = [
    "Agent",
    "AgentError",
    "Call",
    "CheckedDecision",
    "DecisionError",
    "EndNotRecorded",
    "KeyPair",
    "OpenAction",
    "Operation",
    "ProtocolError",
    "Question",
    "Receipt",
    "RecordSigner",
    "RecorderClient",
    "ServiceClient",
    "Session",
    "SessionOptions",
    "SignedRecord",
    "canonical_bytes",
    "canonicalize",
    "current_session",
    "generate_key_pair",
    "parse_json",
    "parse_receipt",
    "read_seed",
    "recorded",
    "verify_receipt",
]
__version__ = "0.1.0"
