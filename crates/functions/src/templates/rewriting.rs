//! Rewriting a template: a walk over its syntax tree.

use minijinja::machinery::Span;
use minijinja::machinery::ast::{self, BinOpKind, CallArg, Expr, Spanned, Stmt};

/// The filter that meters a value and returns it.
pub(super) const PART: &str = "__part";

/// The filter that meters an operand of `+`: sums of lists are lazy, so only their length counts.
pub(super) const ADDEND: &str = "__addend";

/// The filter that meters a value which becomes part of a string, and rejects null.
pub(super) const TEXT: &str = "__text";

/// The function that meters literal text.
pub(super) const RAW: &str = "__raw";

/// Filters of the engine that would turn null into the string `None`.
const STRING_FILTERS: [&str; 12] = [
    "capitalize",
    "e",
    "escape",
    "indent",
    "lower",
    "replace",
    "safe",
    "string",
    "title",
    "trim",
    "upper",
    "urlencode",
];

/// Shorter literal text is covered by the engine's fuel.
const SHORT: usize = 16;

/// The number of results in a chain of operators before one is metered: each can be as long as all before it.
const LINKS: usize = 32;

/// Text to insert into a template.
pub(super) struct Insertions<'s> {
    source: &'s str,
    /// Offsets and texts.
    pub(super) list: Vec<(usize, String)>,
}

impl<'s> Insertions<'s> {
    pub(super) fn of(source: &'s str, template: &[Stmt<'s>]) -> Self {
        let mut insertions = Self { source, list: Vec::new() };
        insertions.body(template);
        insertions
    }

    fn insert(&mut self, at: usize, text: impl Into<String>) {
        if self.source.is_char_boundary(at) {
            self.list.push((at, text.into()));
        }
    }

    fn append_part(&mut self, span: Span) {
        self.insert(end(span), format!("|{PART}"));
    }

    fn body(&mut self, statements: &[Stmt<'s>]) {
        statements.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Stmt<'s>) {
        match statement {
            Stmt::Template(template) => self.body(&template.children),
            Stmt::EmitExpr(emit) => self.expr(&emit.expr),
            Stmt::EmitRaw(raw) => self.raw(raw.raw),
            Stmt::ForLoop(each) => {
                self.expr(&each.iter);
                if let Some(filter) = &each.filter_expr {
                    self.expr(filter);
                }
                self.body(&each.body);
                self.body(&each.else_body);
            }
            Stmt::IfCond(cond) => {
                self.expr(&cond.expr);
                self.body(&cond.true_body);
                self.body(&cond.false_body);
            }
            Stmt::WithBlock(with) => {
                with.assignments.iter().for_each(|(_, value)| self.expr(value));
                self.body(&with.body);
            }
            Stmt::Set(set) => self.set(set),
            Stmt::SetBlock(set) => {
                if let Some(filter) = &set.filter {
                    self.expr(filter);
                }
                self.body(&set.body);
            }
            Stmt::AutoEscape(escape) => self.body(&escape.body),
            Stmt::FilterBlock(block) => {
                self.expr(&block.filter);
                self.body(&block.body);
            }
            Stmt::Block(block) => self.body(&block.body),
            Stmt::Import(import) => self.expr(&import.expr),
            Stmt::FromImport(import) => self.expr(&import.expr),
            Stmt::Extends(extends) => self.expr(&extends.name),
            Stmt::Include(include) => self.expr(&include.name),
            Stmt::Macro(declared) => self.declared(declared),
            Stmt::CallBlock(block) => {
                self.call(&block.call);
                self.declared(&block.macro_decl);
            }
            Stmt::Do(statement) => self.call(&statement.call),
        }
    }

    fn declared(&mut self, declared: &ast::Macro<'s>) {
        declared.defaults.iter().for_each(|default| self.expr(default));
        self.body(&declared.body);
    }

    /// Literal text is charged after it, so that white space control keeps its meaning.
    fn raw(&mut self, raw: &str) {
        if raw.len() < SHORT {
            return;
        }
        // It is a slice of the source, because the parser does not copy.
        let at = (raw.as_ptr() as usize).wrapping_sub(self.source.as_ptr() as usize).wrapping_add(raw.len());
        let Some(rest) = self.source.get(at..) else { return };
        let tag =
            rest.trim_start().strip_prefix("{%").map(|tag| tag.trim_start_matches(['-', '+']).trim_start());
        match tag.filter(|tag| tag.starts_with("endraw")).and_then(|_| rest.find("%}")) {
            None => self.insert(at, format!("{{% do {RAW}({}) %}}", raw.len())),
            // Inside `raw`, nothing is executed: the charge goes after its end tag and keeps its trimming.
            Some(close) => {
                let sign = if rest[..close].ends_with('-') { "-" } else { "" };
                self.insert(at + close + 2, format!("{{% do {RAW}({}) {sign}%}}", raw.len()));
            }
        }
    }

    fn set(&mut self, set: &ast::Set<'s>) {
        self.expr_parts(&set.expr);
        match &set.expr {
            // `set a = b, c`: the tuple has no parentheses, and its span starts at `c`.
            Expr::Tuple(tuple) if !self.source[start(tuple.span())..].starts_with('(') => {
                let target = end(set.target.span());
                let equals = self.source.get(target..).and_then(|rest| rest.find('='));
                if let Some(equals) = equals {
                    self.insert(target + equals + 1, "((");
                    self.insert(end(tuple.span()), format!(")|{PART})"));
                }
            }
            other => self.metered(other),
        }
    }

    fn expr(&mut self, expr: &Expr<'s>) {
        self.expr_parts(expr);
        self.metered(expr);
    }

    /// Meters the result of the expression itself.
    fn metered(&mut self, expr: &Expr<'s>) {
        match expr {
            Expr::BinOp(operation) => self.operation(operation),
            Expr::Compare(compare) => self.append_part(compare.span()),
            Expr::Filter(filter) => self.append_part(filter.span()),
            Expr::List(list) if !list.items.is_empty() => self.literal(list.span()),
            Expr::Tuple(tuple) if !tuple.items.is_empty() => self.literal(tuple.span()),
            Expr::Map(map) if !map.keys.is_empty() => self.literal(map.span()),
            _ => {}
        }
    }

    fn operation(&mut self, operation: &Spanned<ast::BinOp<'s>>) {
        match operation.op {
            BinOpKind::ScAnd | BinOpKind::ScOr => {}
            BinOpKind::Concat | BinOpKind::Add => {
                let filter = if matches!(operation.op, BinOpKind::Add) { ADDEND } else { TEXT };
                if let Some(operator) = self.operator(operation) {
                    self.insert(operator, format!("|{filter} "));
                }
                self.insert(end(operation.span()), format!("|{filter}"));
                if chain(operation).is_multiple_of(LINKS) {
                    self.insert(start(operation.span()), "((");
                    self.insert(end(operation.span()), format!(")|{filter})"));
                }
            }
            BinOpKind::Mul => {
                self.insert(start(operation.span()), "((");
                // The right operand gets a filter of its own, or the engine would fold constants.
                self.insert(end(operation.span()), format!("|{PART})|{PART})"));
            }
            // A comparison can take long: the meter checks the deadline.
            _ => self.append_part(operation.span()),
        }
    }

    /// The offset of the operator, unless the left operand ends with one that is already metered. Only white space and
    /// parentheses are between the two.
    fn operator(&self, operation: &ast::BinOp<'s>) -> Option<usize> {
        let after = end(operation.left.span());
        let between = self.source.get(after..)?;
        let operator = between.find(['~', '+'])?;
        let chained = matches!((&operation.left, operation.op), (Expr::BinOp(left), op)
            if matches!((left.op, op), (BinOpKind::Concat, BinOpKind::Concat) | (BinOpKind::Add, BinOpKind::Add)));
        (!chained || between[..operator].contains(')')).then_some(after + operator)
    }

    fn literal(&mut self, span: Span) {
        let next = self.source.get(end(span)..).and_then(|rest| rest.trim_start().chars().next());
        match next {
            Some('.' | '[' | '(') => {
                self.insert(start(span), "(");
                self.insert(end(span), format!("|{PART})"));
            }
            _ => self.append_part(span),
        }
    }

    /// Other expressions than these are null only if one of their parts is.
    fn filtered(&mut self, filter: &str, inner: &Expr<'s>) {
        let may_be_null = matches!(inner, Expr::Var(_) | Expr::GetAttr(_) | Expr::GetItem(_));
        if may_be_null && STRING_FILTERS.contains(&filter) {
            self.insert(end(inner.span()), format!("|{TEXT}"));
        }
    }

    fn call(&mut self, call: &ast::Call<'s>) {
        self.expr(&call.expr);
        self.arguments(&call.args);
    }

    fn arguments(&mut self, arguments: &[CallArg<'s>]) {
        for argument in arguments {
            match argument {
                CallArg::Pos(expr)
                | CallArg::Kwarg(_, expr)
                | CallArg::PosSplat(expr)
                | CallArg::KwargSplat(expr) => self.expr(expr),
            }
        }
    }

    fn expr_parts(&mut self, expr: &Expr<'s>) {
        match expr {
            Expr::Var(_) | Expr::Const(_) => {}
            Expr::Slice(slice) => {
                self.expr(&slice.expr);
                [&slice.start, &slice.stop, &slice.step]
                    .into_iter()
                    .flatten()
                    .for_each(|part| self.expr(part));
            }
            Expr::UnaryOp(operation) => self.expr(&operation.expr),
            Expr::BinOp(operation) => {
                // A product of a product is metered once, as a whole.
                match &operation.left {
                    Expr::BinOp(left)
                        if matches!((left.op, operation.op), (BinOpKind::Mul, BinOpKind::Mul))
                            && start(left.span()) == start(operation.span()) =>
                    {
                        self.expr_parts(&operation.left);
                    }
                    left => self.expr(left),
                }
                self.expr(&operation.right);
            }
            Expr::Compare(compare) => {
                self.expr(&compare.expr);
                compare.ops.iter().for_each(|op| self.expr(&op.expr));
            }
            Expr::IfExpr(choice) => {
                self.expr(&choice.test_expr);
                self.expr(&choice.true_expr);
                if let Some(other) = &choice.false_expr {
                    self.expr(other);
                }
            }
            Expr::Filter(filter) => {
                if let Some(inner) = &filter.expr {
                    self.expr(inner);
                    self.filtered(filter.name, inner);
                }
                self.arguments(&filter.args);
            }
            Expr::Test(test) => {
                self.expr(&test.expr);
                self.arguments(&test.args);
            }
            Expr::GetAttr(get) => self.expr(&get.expr),
            Expr::GetItem(get) => {
                self.expr(&get.expr);
                self.expr(&get.subscript_expr);
            }
            Expr::Call(call) => self.call(call),
            Expr::List(list) => list.items.iter().for_each(|item| self.expr(item)),
            Expr::Tuple(tuple) => tuple.items.iter().for_each(|item| self.expr(item)),
            Expr::Map(map) => map.keys.iter().chain(&map.values).for_each(|item| self.expr(item)),
        }
    }
}

/// The number of chained operators up to this one, from the left.
fn chain(operation: &Spanned<ast::BinOp<'_>>) -> usize {
    let (mut length, mut operation) = (1, operation);
    while let Expr::BinOp(left) = &operation.left
        && start(left.span()) == start(operation.span())
    {
        (length, operation) = (length + 1, left);
    }
    length
}

fn start(span: Span) -> usize {
    span.start_offset as usize
}

fn end(span: Span) -> usize {
    span.end_offset as usize
}
