//! What there is to see.

use uphold::model::ResourceId;
use uphold_status::{Board, Overview, Page, ResourceStatus, Snapshot};

/// What a dashboard shows: the board of a watch that goes on, or a snapshot of one.
///
/// It is asked at most twenty times a second, and for no more than fits on the screen.
pub trait View: Send + Sync {
    /// The whole in short, with so many troubles at most.
    fn overview(&self, troubles: usize) -> Overview;

    /// So many actions from there on, of those whose address contains this text, whatever its case.
    fn page(&self, containing: &str, skip: usize, take: usize) -> Page;

    /// The actions of one resource; none if it is not held.
    fn details(&self, resource: &ResourceId) -> Vec<ResourceStatus>;
}

impl View for Board {
    fn overview(&self, troubles: usize) -> Overview {
        Board::overview(self, troubles)
    }

    fn page(&self, containing: &str, skip: usize, take: usize) -> Page {
        Board::page(self, containing, skip, take)
    }

    fn details(&self, resource: &ResourceId) -> Vec<ResourceStatus> {
        Board::details(self, resource)
    }
}

/// A view that stands still.
impl View for Snapshot {
    fn overview(&self, troubles: usize) -> Overview {
        let mut overview = self.overview.clone();
        overview.more_troubles += overview.troubles.len().saturating_sub(troubles);
        overview.troubles.truncate(troubles);
        overview
    }

    fn page(&self, containing: &str, skip: usize, take: usize) -> Page {
        let wanted = containing.to_lowercase();
        let fits = |status: &&ResourceStatus| {
            wanted.is_empty() || status.resource.to_string().to_lowercase().contains(&wanted)
        };
        let fitting: Vec<&ResourceStatus> = self.resources.iter().filter(fits).collect();
        let resources = fitting.iter().skip(skip).take(take).map(|status| (*status).clone()).collect();
        Page { resources, of: fitting.len() }
    }

    fn details(&self, resource: &ResourceId) -> Vec<ResourceStatus> {
        self.resources.iter().filter(|status| status.resource == *resource).cloned().collect()
    }
}
