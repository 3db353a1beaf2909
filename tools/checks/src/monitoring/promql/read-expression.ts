import { parser } from '@prometheus-io/lezer-promql';

type SyntaxNode = ReturnType<typeof parser.parse>['topNode'];

/** One metric that an expression asks for. */
export type AskedMetric = {
  readonly name: string;
  /** Labels that it is chosen by. */
  readonly matched: readonly string[];
  /** Labels that the innermost sum over it keeps. */
  readonly kept: readonly string[];
  /** It stands inside of a function that is for counters alone. */
  readonly isRated: boolean;
};

export type ReadExpression = {
  /** Texts around which the expression makes no sense; none: it is sound. */
  readonly faults: readonly string[];
  readonly asked: readonly AskedMetric[];
};

/** For counters: on anything else their results mean nothing. */
const RATES = new Set(['Rate', 'Increase', 'Irate']);
const SUMS_BY = 'By';

/** Reads an expression by the grammar of Prometheus itself. */
export function readExpression(expression: string): ReadExpression {
  const faults: string[] = [];
  const asked: AskedMetric[] = [];
  const text = ({ from, to }: { from: number; to: number }): string => expression.slice(from, to);
  parser.parse(expression).iterate({
    enter: (node) => {
      if (node.type.isError) faults.push(expression.slice(Math.max(0, node.from - 20), node.to + 20));
      if (node.name !== 'VectorSelector') return;
      const { node: selector } = node;
      const name = selector.getChild('Identifier');
      const labels = listAll(selector, 'LabelName').map(text);
      asked.push({
        name: name === null ? '' : text(name),
        matched: labels,
        kept: keptBy(selector).map(text),
        isRated: above(selector).some((each) => each.name === 'FunctionCall' && RATES.has(each.firstChild?.firstChild?.name ?? '')),
      });
    },
  });
  return { faults, asked };
}

function above(node: SyntaxNode): SyntaxNode[] {
  return node.parent === null ? [] : [node.parent, ...above(node.parent)];
}

/** Labels of the innermost sum `by` around it. */
function keptBy(selector: SyntaxNode): SyntaxNode[] {
  const sum = above(selector).find(({ name }) => name === 'AggregateExpr');
  const modifier = sum?.getChild('AggregateModifier');
  if (modifier?.firstChild?.name !== SUMS_BY) return [];
  return listAll(modifier, 'LabelName');
}

function listAll(node: SyntaxNode, name: string): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  node.cursor().iterate((each) => {
    if (each.name === name && each.from >= node.from && each.to <= node.to) found.push(each.node);
  });
  return found;
}
