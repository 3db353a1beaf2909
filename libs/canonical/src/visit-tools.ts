import { asRecord, type JsonRecord } from './json-value';

/** Items of the responses dialect that bring tools along, beside the list of the request. */
const TOOL_ITEMS: ReadonlySet<unknown> = new Set(['additional_tools', 'tool_search_output']);

/** Is given each tool, and where it stands: the path of its list, and its place there. */
type ToolVisitor = (tool: JsonRecord, list: string, index: number) => void;

/** Visits every tool that a body in any dialect offers to the model: in `tools`, in items that carry tools, and inside of namespaces. */
export function visitTools(body: Readonly<JsonRecord>, visit: ToolVisitor): void {
  visitList(body['tools'], 'tools', visit);
  const { input } = body;
  if (!Array.isArray(input)) return;
  for (let index = 0; index < input.length; index += 1) {
    const item: unknown = input[index];
    if (typeof item !== 'object' || item === null) continue;
    const { type, tools } = item as JsonRecord;
    if (TOOL_ITEMS.has(type)) visitList(tools, `input[${index}].tools`, visit);
  }
}

function visitList(tools: unknown, list: string, visit: ToolVisitor): void {
  if (!Array.isArray(tools)) return;
  for (let index = 0; index < tools.length; index += 1) {
    const tool = asRecord(tools[index]);
    if (tool === undefined) continue;
    visit(tool, list, index);
    if (tool['type'] === 'namespace') visitList(tool['tools'], `${list}[${index}].tools`, visit);
  }
}
