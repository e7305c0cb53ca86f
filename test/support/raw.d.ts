/** A file as one string: `import text from './file.json?raw'`, which vite resolves in Node and in browsers alike. */
declare module '*?raw' {
  const text: string;
  export default text;
}
