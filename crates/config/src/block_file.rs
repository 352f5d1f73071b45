//! Files of blocks that are not part of a configuration, such as its tests.

use std::path::Path;
use std::sync::Arc;

use uphold_functions::Surroundings;
use uphold_model::{Code, Diagnostic, Diagnostics, Name, Place, ResourceId, SourceId, Sources, Value};

use crate::console::Console;
use crate::evaluate::{Budget, Evaluator, Frame, Many, StepTo};
use crate::expand::Unread;
use crate::instance::Universe;
use crate::module::Module;
use crate::name_check::{Context, NameCheck, Used};
use crate::parser::Parser;
use crate::source_code::SourceCode;
use crate::standalone_expr::standalone_problem;
use crate::tree::{Content, Item, Items, Node, NodeId, Tree, TreeView};

/// A block as it was written. Nothing in it is evaluated or checked yet.
#[derive(Clone, Debug, Default)]
pub struct WrittenBlock {
    /// Its keyword.
    pub word: String,
    /// Its labels.
    pub labels: Vec<String>,
    /// The place of its keyword and labels; none for a whole file.
    pub place: Option<Place>,
    /// Its attributes, in written order.
    pub attributes: Vec<WrittenAttribute>,
    /// The blocks in it, in written order.
    pub blocks: Vec<WrittenBlock>,
}

/// `name = expression`.
#[derive(Clone, Debug)]
pub struct WrittenAttribute {
    /// Its name.
    pub name: String,
    /// The place of the name.
    pub place: Place,
    /// The value; none if it could not be parsed, which was reported.
    pub expression: Option<WrittenExpression>,
}

/// An expression that a [`Console`] evaluates.
#[derive(Clone, Debug)]
pub struct WrittenExpression {
    /// Its place.
    pub place: Place,
    code: Arc<SourceCode>,
    tree: Arc<Tree>,
    node: NodeId,
}

/// Resources that an expression names, and perhaps a verb.
#[derive(Clone, Debug)]
pub struct WrittenTarget {
    /// The resources; empty if they do not exist because a `when` is false.
    pub ids: Vec<ResourceId>,
    /// The steps after the resource: a verb.
    pub rest: Vec<Name>,
    /// The place of the expression.
    pub place: Place,
}

/// Reads a file of blocks. The file itself is returned as a block without a keyword.
///
/// Takes time linear in the text. Returns everything that could be parsed, even if there are errors.
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
    /// Recursive; the parser limits the depth.
    fn fill(&self, block: &mut WrittenBlock, items: Items) {
        let passage = TreeView::new(&self.code, &self.tree);
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
    /// A console without a configuration: expressions can use functions and facts.
    pub fn outside(surroundings: Arc<dyn Surroundings>, directory: &Path) -> Self {
        let universe = Universe::new(surroundings, directory.to_owned());
        let root = universe.add(Module::of(Vec::new()).into(), None, None, []).id;
        Self { universe, root }
    }

    /// Evaluates an expression of another file with the names of this configuration.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn value(&self, expression: &WrittenExpression) -> Result<Value, Diagnostics> {
        self.with(expression, |evaluator, frame| evaluator.node(frame, expression.node))
    }

    /// The resources that an expression names, one target for each element of a literal list. Does not check whether
    /// they are declared.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn targets(&self, expression: &WrittenExpression) -> Result<Vec<WrittenTarget>, Diagnostics> {
        let nodes = match TreeView::new(&expression.code, &expression.tree).node(expression.node) {
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
        let code = TreeView::new(&expression.code, &expression.tree);
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
        if root.module.codes.is_empty() {
            diagnostics.extend(problems.into_iter().map(standalone_problem));
        } else {
            diagnostics.extend(problems);
        }
        Err(diagnostics)
    }
}

/// A path that starts with a kind, or any expression that yields resources.
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
            let detail = "only an action can follow a resource";
            Err(frame.error(step.at, Code::MalformedTest, detail, "write `kind.name` or `kind.name.action`"))
        }
    });
    Ok(WrittenTarget { ids: target.ids, rest: rest.collect::<Result<_, _>>()?, place })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_blocks_and_attributes() {
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
    fn invalid_attributes_do_not_hide_valid_ones() {
        let mut sources = Sources::default();
        let id = sources.add("a.test.hcl", "a = )\nb = 2\n");
        let (file, diagnostics) = read_blocks(&sources, id);
        assert!(diagnostics.has_errors());
        assert!(file.attributes.iter().any(|attribute| attribute.name == "b"), "{file:?}");
    }
}
