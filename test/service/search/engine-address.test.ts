// docs/archive.md, A search engine: how it is named on the command line, and how values reach it.
import { expect, it } from 'vitest';
import { Parameters, readEngineAddress } from '../../../src/service/search/engine/clickhouse.ts';

it('is an address with who asks, over HTTP or TLS', () => {
  expect(readEngineAddress('clickhouse://me:a%2Fb@host.example:9000/db')).toEqual({
    url: 'http://host.example:9000/',
    user: 'me',
    password: 'a/b',
    database: 'db',
  });
  expect(readEngineAddress('clickhouses://host.example', 'of the environment')).toEqual({
    url: 'https://host.example:8443/',
    user: 'default',
    password: 'of the environment',
    database: 'default',
  });
});

it.each(['http://host/db', 'clickhouse://', 'clickhouse://host/a;b', 'clickhouse://host/db?x=1', 'host'])(
  'is not %s',
  (text) => {
    expect(readEngineAddress(text)).toBeUndefined();
  },
);

it('takes values apart from the text, escaped as its interface reads them', () => {
  const parameters = new Parameters();
  expect([parameters.text("a\tb\n\\'"), parameters.number(0.5), parameters.texts(["'", '\\'])]).toEqual([
    '{p0:String}',
    '{p1:Float64}',
    "JSONExtract({p2:String}, 'Array(String)')",
  ]);
  expect([...parameters]).toEqual([
    ['param_p0', "a\\tb\\n\\\\'"],
    ['param_p1', '0.5'],
    ['param_p2', String.raw`["'","\\\\"]`],
  ]);
});
