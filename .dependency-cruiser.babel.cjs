// Lets dependency-cruiser read TypeScript: its own parser needs a compiler API that TypeScript 7 removed. Vite's parser
// reads each file, and Babel passes on only its imports. Type-only imports become `typeImport('…')`, so rules can tell
// them apart (`exoticRequire`).
const { types } = require('@babel/core');
const { parseSync } = require('vite');

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
      return `typeImport(${quoted(node.source)})`;
    case 'ImportExpression':
      if (typeof node.source.value !== 'string') return undefined;
      return `import(${quoted(node.source)})`;
    default:
      return undefined;
  }
}

function collect(node, statements) {
  const statement = dependencyOf(node);
  if (statement) statements.push(statement);
  for (const key in node) {
    const child = node[key];
    if (typeof child === 'object' && child) collect(child, statements);
  }
  return statements;
}

const importsOnly = () => ({
  manipulateOptions: (options, parser) => {
    parser.filename = options.filename;
  },
  parserOverride: (code, { filename }) => {
    const { program, errors } = parseSync(filename, code);
    if (errors.length > 0) throw new SyntaxError(`${filename}: ${errors[0].message}`);
    const statements = collect(program, []);
    // Babel has nothing left to walk.
    return { ...types.file(types.program([])), code: statements.join(';\n') };
  },
  generatorOverride: ({ code }) => ({ code }),
});

module.exports = { plugins: [importsOnly], babelrc: false, configFile: false };
