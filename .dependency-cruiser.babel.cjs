// Lets dependency-cruiser read TypeScript: its own parser needs a compiler API that TypeScript 7 removed. Babel parses
// each file and outputs only its imports. Type-only imports become `typeImport('…')`, so rules can tell them apart
// (`exoticRequire`).
const { types } = require('@babel/core');

/** Returns whether a statement imports or exports only types. */
function bringsTypesOnly(node, kind) {
  if (node[kind] === 'type') return true;
  return node.specifiers?.length > 0 && node.specifiers.every((specifier) => specifier[kind] === 'type');
}

/** Returns the import statement for what a node depends on, if anything. */
function dependencyOf(node) {
  const quoted = (source) => JSON.stringify(source.value);
  switch (node.type) {
    case 'ImportDeclaration':
      return bringsTypesOnly(node, 'importKind')
        ? `typeImport(${quoted(node.source)})`
        : `import ${quoted(node.source)}`;
    case 'ExportAllDeclaration':
    case 'ExportNamedDeclaration':
      if (!node.source) return undefined;
      return bringsTypesOnly(node, 'exportKind')
        ? `typeImport(${quoted(node.source)})`
        : `export * from ${quoted(node.source)}`;
    case 'TSImportType':
      return `typeImport(${quoted(node.argument.literal ?? node.argument)})`;
    case 'CallExpression':
      if (node.callee.type !== 'Import' || node.arguments[0]?.type !== 'StringLiteral') return undefined;
      return `import(${quoted(node.arguments[0])})`;
    default:
      return undefined;
  }
}

function collect(node, statements) {
  const statement = dependencyOf(node);
  if (statement) statements.push(statement);
  for (const key of types.VISITOR_KEYS[node.type] ?? []) {
    for (const child of [node[key]].flat()) if (child) collect(child, statements);
  }
  return statements;
}

const importsOnly = () => ({
  manipulateOptions: (options, parser) => {
    // In a .ts file, `<T>(x) => x` has a type parameter that the JSX parser rejects.
    const file = options.filename ?? '';
    parser.plugins.push('typescript', ...(file.endsWith('x') ? ['jsx'] : []));
  },
  generatorOverride: (ast) => ({ code: collect(ast.program, []).join(';\n') }),
});

module.exports = { plugins: [importsOnly], babelrc: false, configFile: false };
