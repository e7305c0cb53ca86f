/**
 * Where the code of a worker thread is: beside the module that starts it, both where sources run as they are and where
 * they are built into one folder, into which every worker is built by its name.
 * @param base import.meta.url of the module that starts it
 * @param name of the worker's file, without ending
 */
export function workerUrl(base: string, name: string): URL {
  return new URL(`./${name}${base.endsWith('.ts') ? '.ts' : '.js'}`, base);
}
