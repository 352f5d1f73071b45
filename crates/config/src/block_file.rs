//! Files of blocks that are no configuration: tests of one.

use std::path::Path;
use std::sync::Arc;

use uphold_functions::Surroundings;
use uphold_model::{Code, Diagnostic, Diagnostics, Name, Place, ResourceId, SourceId, Sources, Value};

use crate::aside::told_outside;
use crate::console::Console;
use crate::evaluate::{Budget, Evaluator, Frame, Many, StepTo};
use crate::expand::Unread;
use crate::instance::Universe;
use crate::module::Module;
use crate::name_check::{Context, NameCheck, Used};
use crate::parser::Parser;
use crate::source_code::SourceCode;
use crate::tree::{Content, Item, Items, Node, NodeId, Passage, Tree};

/// A block as it was written. Nothing in it is evaluated yet, and no word in it is checked.
#[derive(Clone, Debug, Default)]
pub struct WrittenBlock {
    /// The word that it begins with.
    pub word: String,
    /// Its labels.
    pub labels: Vec<String>,
    /// Where its word and its labels stand; none for a whole file.
    pub place: Option<Place>,
    /// What is set in it, in written order.
    pub attributes: Vec<WrittenAttribute>,
    /// The blocks in it, in written order.
    pub blocks: Vec<WrittenBlock>,
}

/// `name = expression`.
#[derive(Clone, Debug)]
pub struct WrittenAttribute {
    /// The name.
    pub name: String,
    /// Where the name stands.
    pub place: Place,
    /// What it is set to; none if that could not be read, which was reported.
    pub expression: Option<WrittenExpression>,
}

/// An expression that a [`Console`] evaluates.
#[derive(Clone, Debug)]
pub struct WrittenExpression {
    /// Where it stands.
    pub place: Place,
    code: Arc<SourceCode>,
    tree: Arc<Tree>,
    node: NodeId,
}

/// What an expression names.
#[derive(Clone, Debug)]
pub struct WrittenTarget {
    /// The resources; none if what is named is switched off.
    pub ids: Vec<ResourceId>,
    /// What comes after: a verb.
    pub rest: Vec<Name>,
    /// Where it is named.
    pub place: Place,
}

/// Reads a file of blocks. The whole file is a block without a word.
///
/// Takes time linear in the text. What could be read is there, also if something is wrong with the rest.
pub fn read_blocks(sources: &Sources, id: SourceId) -> (WrittenBlock, Diagnostics) {
    let source = sources.get(id);
    let directory = Path::new(&source.name).parent().unwrap_or(Path::new("")).to_owned();
    let (tree, problems) = Parser::new(&source.text, id).parse_whole();
    let reader = BlockReader { code: Arc::new(SourceCode::of(sources, id, directory)), tree: Arc::new(tree) };
    let mut file = WrittenBlock::default();
    reader.fill(&mut file, reader.tree.root);
    let mut diagnostics = Diagnostics::default();
    diagnostics.extend(problems);
    diagnostics.cap();
    (file, diagnostics)
}

struct BlockReader {
    code: Arc<SourceCode>,
    tree: Arc<Tree>,
}

impl BlockReader {
    /// Calls itself once a level; the parser keeps levels few.
    fn fill(&self, block: &mut WrittenBlock, items: Items) {
        let passage = Passage::new(&self.code, &self.tree);
        for item in passage.items(items) {
            match item.content {
                Content::Block { labels, items } => {
                    let labels: Vec<_> = passage.labels(labels).collect();
                    let last = labels.last().map_or(item.name, |label| label.span);
                    let mut inner = WrittenBlock {
                        word: item.key.to_owned(),
                        labels: labels.iter().map(|label| label.text.to_owned()).collect(),
                        place: Some(self.code.place(item.name).to(self.code.place(last))),
                        ..WrittenBlock::default()
                    };
                    self.fill(&mut inner, items);
                    block.blocks.push(inner);
                }
                Content::Expression(node) => block.attributes.push(self.attribute(&item, Some(node))),
                Content::Broken => block.attributes.push(self.attribute(&item, None)),
            }
        }
    }

    fn attribute(&self, item: &Item<'_>, node: Option<NodeId>) -> WrittenAttribute {
        let expression = |node| WrittenExpression {
            place: self.code.place(item.value),
            code: self.code.clone(),
            tree: self.tree.clone(),
            node,
        };
        WrittenAttribute {
            name: item.key.to_owned(),
            place: self.code.place(item.name),
            expression: node.map(expression),
        }
    }
}

impl Console {
    /// Evaluates expressions that stand outside of every configuration: functions and facts mean something there.
    pub fn outside(surroundings: Arc<dyn Surroundings>, directory: &Path) -> Self {
        let universe = Universe::new(surroundings, directory.to_owned());
        let root = universe.add(Module::of(Vec::new()).into(), None, None, []).id;
        Self { universe, root }
    }

    /// The value of an expression of another file, with the names of this configuration.
    ///
    /// # Errors
    /// All that is wrong with it.
    pub fn value(&self, expression: &WrittenExpression) -> Result<Value, Diagnostics> {
        self.with(expression, |evaluator, frame| evaluator.node(frame, expression.node))
    }

    /// The resources that an expression names, one target for each element of a list that is written out. Whether
    /// they are declared is not looked at.
    ///
    /// # Errors
    /// All that is wrong with it.
    pub fn targets(&self, expression: &WrittenExpression) -> Result<Vec<WrittenTarget>, Diagnostics> {
        let nodes = match Passage::new(&expression.code, &expression.tree).node(expression.node) {
            Node::List(elements) => elements.iter().collect(),
            _ => vec![expression.node],
        };
        self.with(expression, |evaluator, frame| {
            nodes.iter().map(|node| target(evaluator, frame, *node)).collect()
        })
    }

    fn with<T>(
        &self,
        expression: &WrittenExpression,
        evaluate: impl FnOnce(&Evaluator<'_>, &Frame<'_>) -> Result<T, Box<Diagnostic>>,
    ) -> Result<T, Diagnostics> {
        let root = self.universe.instance(self.root);
        let code = Passage::new(&expression.code, &expression.tree);
        let mut problems = Vec::new();
        NameCheck { module: &root.module, problems: &mut problems, used: Used::default() }
            .node(Context::new(&code), expression.node);
        if problems.is_empty() {
            let budget = Budget::default();
            let evaluator = Evaluator::new(&self.universe, &Unread, false, &budget);
            match evaluate(&evaluator, &Frame::new(&root, code)) {
                Ok(value) => return Ok(value),
                Err(problem) => problems.push(*problem),
            }
        }
        let mut diagnostics = Diagnostics::default();
        match root.module.codes.is_empty() {
            true => diagnostics.extend(problems.into_iter().map(told_outside)),
            false => diagnostics.extend(problems),
        }
        Err(diagnostics)
    }
}

/// A path from a kind, or any expression that gives resources.
fn target(
    evaluator: &Evaluator<'_>,
    frame: &Frame<'_>,
    node: NodeId,
) -> Result<WrittenTarget, Box<Diagnostic>> {
    let place = frame.code.place_of(node);
    let Some(target) = evaluator.target_of(frame, node, Many::Apart)? else {
        let mut found = Vec::new();
        evaluator.given(frame, node, &mut found)?;
        let ids = found.into_iter().map(|reference| reference.target).collect();
        return Ok(WrittenTarget { ids, rest: Vec::new(), place });
    };
    let rest = target.rest.iter().map(|step| match step.what {
        StepTo::Field(name) => Ok(name.into()),
        StepTo::Index(_) => {
            let detail = "a verb may come after a resource, and this is none";
            Err(frame.error(step.at, Code::MalformedTest, detail, "write `kind.name` or `kind.name.verb`"))
        }
    });
    Ok(WrittenTarget { ids: target.ids, rest: rest.collect::<Result<_, _>>()?, place })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_block_by_block() {
        let mut sources = Sources::default();
        let id = sources.add("a.test.hcl", "a = 1\ntest \"x\" {\n  b = upper(\"y\")\n  given {}\n}\n");
        let (file, diagnostics) = read_blocks(&sources, id);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        assert_eq!((file.attributes.len(), file.blocks.len()), (1, 1));
        let test = &file.blocks[0];
        assert_eq!((&*test.word, &*test.labels), ("test", &["x".to_owned()][..]));
        assert_eq!(test.place.map(|place| sources.text(place)), Some("test \"x\""));
        assert_eq!((&*test.attributes[0].name, &*test.blocks[0].word), ("b", "given"));
        let expression = test.attributes[0].expression.as_ref().expect("it can be read");
        assert_eq!(sources.text(expression.place), "upper(\"y\")");
    }

    #[test]
    fn what_cannot_be_read_does_not_hide_the_rest() {
        let mut sources = Sources::default();
        let id = sources.add("a.test.hcl", "a = )\nb = 2\n");
        let (file, diagnostics) = read_blocks(&sources, id);
        assert!(diagnostics.has_errors());
        assert!(file.attributes.iter().any(|attribute| attribute.name == "b"), "{file:?}");
    }
}
