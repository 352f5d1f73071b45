//! Reporters, which print or record the engine's events.

mod action_history;
mod excluded_dependents;
mod failure;
mod finished_action;
mod heading;
mod human;
mod json;
mod junit;
mod known_troubles;
pub(crate) mod left_resources;
mod nested_change;
mod plan_order;
mod progress;
mod property_lines;
mod record;
mod reporter;
mod summary;
mod text_diff;
mod unverified;
mod watch_log;
pub(crate) mod watch_text;
pub(crate) mod wire;

pub(crate) use action_history::ActionHistory;
pub(crate) use failure::show_error;
pub(crate) use finished_action::FinishedAction;
pub(crate) use human::{Human, To};
pub(crate) use json::Json;
pub(crate) use junit::{markup_entity, test_report};
pub(crate) use plan_order::PlanOrder;
pub(crate) use property_lines::PropertyLines;
pub(crate) use record::{Record, RecordingReport, expect_writable, is_junit};
pub(crate) use reporter::{Report, Scene};
pub(crate) use text_diff::{TextChange, UnifiedDiff};
pub(crate) use unverified::UnverifiedChanges;
pub(crate) use watch_log::WatchLog;
