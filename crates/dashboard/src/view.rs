//! The data that a dashboard shows.

use uphold::model::ResourceId;
use uphold_status::{Overview, Page, ResourceStatus, StatusModel};

/// The data that a dashboard shows: the board of a running watch; in tests, a snapshot.
///
/// It is read at most twenty times a second, and only for the lines that fit on the screen.
pub trait View: Send + Sync {
    /// The overview, with at most this many problems.
    fn overview(&self, troubles: usize) -> Overview;

    /// A page of the actions whose address contains this string, ignoring case.
    fn page(&self, containing: &str, skip: usize, take: usize) -> Page;

    /// The actions of one resource; empty if it is not declared.
    fn details(&self, resource: &ResourceId) -> Vec<ResourceStatus>;
}

impl View for StatusModel {
    fn overview(&self, troubles: usize) -> Overview {
        StatusModel::overview(self, troubles)
    }

    fn page(&self, containing: &str, skip: usize, take: usize) -> Page {
        StatusModel::page(self, containing, skip, take)
    }

    fn details(&self, resource: &ResourceId) -> Vec<ResourceStatus> {
        StatusModel::details(self, resource)
    }
}
