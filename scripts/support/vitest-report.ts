/** Totals of a vitest run and what it passed over. */
export interface TestTotals {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Full names of the tests that were skipped one by one, with their files. */
  readonly skippedNames: readonly string[];
}

/**
 * Reads the report of vitest's json reporter. A file that fails before its first test (a syntax error, a broken
 * import) has no test to count and counts as one failure itself.
 *
 * @throws Error when the text is no such report.
 */
export function readTotals(report: string): TestTotals {
  const body: unknown = JSON.parse(report);
  const files = list(body, 'testResults');
  const tests = files.flatMap((file) =>
    list(file, 'assertionResults').map((test) => ({
      status: text(test, 'status'),
      name: `${text(file, 'name')} › ${text(test, 'fullName')}`,
    })),
  );
  const failedTests = tests.filter((test) => test.status === 'failed').length;
  const brokenFiles = files.filter(
    (file) =>
      text(file, 'status') === 'failed' &&
      !list(file, 'assertionResults').some((test) => text(test, 'status') === 'failed'),
  ).length;
  const passed = tests.filter((test) => test.status === 'passed').length;
  const skipped = tests.filter((test) => test.status !== 'passed' && test.status !== 'failed');
  return {
    passed,
    failed: failedTests + brokenFiles,
    skipped: skipped.length,
    skippedNames: skipped.map((test) => test.name),
  };
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function list(value: unknown, name: string): readonly unknown[] {
  const found = field(value, name);
  if (!Array.isArray(found)) throw new Error(`The test report has no list "${name}".`);
  return found;
}

function text(value: unknown, name: string): string {
  const found = field(value, name);
  return typeof found === 'string' ? found : '';
}
