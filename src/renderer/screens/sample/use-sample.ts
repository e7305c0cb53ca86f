import { useCallback, useEffect, useState } from 'react';
import { z } from 'zod';
import { useVerification } from '../../verification/use-verification.ts';

const BUNDLE = new URL('../../../../resources/sample/airline-agents.csbundle.gz', import.meta.url);
const ABOUT = new URL('../../../../resources/sample/sample.json', import.meta.url);

/** What is known of the sample besides its file: who signed it, and what was altered. */
const about = z.strictObject({
  service_kid: z.string(),
  records: z.int(),
  agents: z.int(),
  forged_seq_no: z.int(),
  originals: z.record(z.string(), z.json()),
});
export type AboutSample = z.infer<typeof about>;

/** The sample as it was loaded. */
export interface Sample {
  readonly file: File;
  readonly about: AboutSample;
}

async function fetched(url: URL): Promise<Response> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url.pathname}: ${response.status}`);
  return response;
}

async function load(): Promise<Sample> {
  const [bundle, said] = await Promise.all([fetched(BUNDLE), fetched(ABOUT)]);
  const blob = await bundle.blob();
  return { file: new File([blob], 'sample-airline-agents.csbundle'), about: about.parse(await said.json()) };
}

/** Loads the sample that comes with the page, and verifies it in a thread of this window as any other file. */
export function useSample() {
  const { verification, start } = useVerification();
  const [sample, setSample] = useState<Sample | null>(null);
  const [isUnreadable, setUnreadable] = useState(false);
  const check = useCallback(async () => {
    setUnreadable(false);
    try {
      const loaded = await load();
      setSample(loaded);
      start({ bundle: loaded.file, receipts: null, trustedKids: [loaded.about.service_kid] });
    } catch {
      // Whatever it is, the screen says that the file cannot be read, and offers to try again.
      setUnreadable(true);
    }
  }, [start]);
  useEffect(() => void check(), [check]);
  return { sample, verification, isUnreadable: isUnreadable || verification.state === 'unreadable', check };
}
