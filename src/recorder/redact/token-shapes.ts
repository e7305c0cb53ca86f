import { Excerpt, endOfRun, type Found, kindOf, nextRun, type Part, type TextRule } from './found.ts';

interface Shape {
  readonly type: string;
  /** What every secret of the kind holds: without it in the text, the expression is not tried. */
  readonly marks: readonly string[];
  /** Quantifiers have upper bounds, or begin where no other match can: time stays linear in the length of the text. */
  readonly shape: RegExp;
}

/** Not after a letter or digit, but for that of an escape such as \n in JSON. */
const START = String.raw`(?<!(?:^|[^\\])[A-Za-z0-9])(?<![_-])`;

function shape(type: string, marks: string | readonly string[], source: string, atStart = false): Shape {
  const text = atStart ? START + source : source;
  return { type, marks: typeof marks === 'string' ? [marks] : marks, shape: new RegExp(text, 'g') };
}

const W = '[A-Za-z0-9_-]';
const H = '[0-9a-f]';
const END = '(?![A-Za-z0-9])';

/** Keys of services by the shapes that their issuers publish. Exported for its test. */
export const SHAPES: readonly Shape[] = [
  shape('aws-access-key', ['AKIA', 'ASIA', 'ABIA', 'ACCA'], `(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}${END}`, true),
  shape('aws-bedrock-key', 'ABSK', `ABSK[A-Za-z0-9+/]{40,300}={0,2}`, true),
  shape('gcp-api-key', 'AIza', `AIza${W}{35}`),
  shape('gcp-client-secret', 'GOCSPX-', `GOCSPX-${W}{20,40}`),
  shape('google-token', 'ya29.', String.raw`ya29\.${W}{20,2000}`),
  shape('google-refresh-token', '1//0', `1//0${W}{20,512}`),
  shape('azure-client-secret', 'Q~', String.raw`${START}[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{31,34}`),
  shape(
    'azure-key',
    ['+ASt', 'ACDb', 'AzSe', '+AMC', '+AIoT', '+ASb', '+AEh', '+ARm'],
    `(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{33,76}(?:\\+ASt|ACDb|AzSe|\\+AMC|\\+AIoT|\\+ASb|\\+AEh|\\+ARm)[A-Za-z0-9+/]{4,6}={0,2}`,
  ),
  shape('github-token', ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], `gh[pousr]_[A-Za-z0-9_]{36,255}`),
  shape('github-token', 'github_pat_', `github_pat_[A-Za-z0-9_]{22,255}`),
  shape('gitlab-token', 'gl', `gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|oas|soat|ffct|rtr)-[A-Za-z0-9_.-]{20,300}`),
  shape('gitlab-token', 'GR1348941', `GR1348941${W}{20,50}`),
  shape('slack-token', 'xox', `xox[abdeoprs]-[A-Za-z0-9-]{10,250}`),
  shape('slack-token', 'xoxe.', String.raw`xoxe\.xox[bp]-[A-Za-z0-9-]{10,250}`),
  shape('slack-token', 'xapp-', `xapp-\\d-[A-Za-z0-9-]{10,250}`),
  shape(
    'slack-webhook',
    'hooks.slack.com',
    String.raw`hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9/_-]{20,200}`,
  ),
  shape('stripe-key', ['k_live_', 'k_test_', 'k_prod_'], `[srp]k_(?:live|test|prod)_[A-Za-z0-9]{10,250}`),
  shape('webhook-secret', 'whsec_', `whsec_[A-Za-z0-9+/=_-]{16,200}`),
  shape('anthropic-key', 'sk-ant-', `sk-ant-[a-z0-9]{2,12}-${W}{16,300}`),
  shape(
    'openai-key',
    ['sk-proj-', 'sk-svcacct-', 'sk-admin-', 'sk-None-'],
    `sk-(?:proj|svcacct|admin|None)-${W}{16,300}`,
  ),
  shape('openrouter-key', 'sk-or-', `sk-or-(?:v\\d-)?${W}{16,100}`),
  shape('api-key', 'sk-', `sk-(?=[A-Za-z0-9_-]{0,60}\\d)[A-Za-z0-9]{18,200}${END}`, true),
  shape('openai-session', 'sess-', `sess-[A-Za-z0-9]{40}${END}`, true),
  shape('npm-token', 'npm_', `npm_[A-Za-z0-9]{36}`),
  shape('pypi-token', 'pypi-Ag', `pypi-Ag${W}{50,1000}`),
  shape('docker-token', 'dckr_', `dckr_[po]at_${W}{20,60}`),
  shape('huggingface-token', ['hf_', 'api_org_'], `(?:hf|api_org)_[A-Za-z0-9]{30,60}${END}`, true),
  shape('twilio-key', 'SK', `SK[0-9a-f]{32}${END}`, true),
  shape('sendgrid-key', 'SG.', String.raw`SG\.${W}{16,32}\.${W}{16,64}`),
  shape('telegram-token', ':AA', String.raw`(?<!\d)\d{8,10}:AA${W}{32,34}`),
  shape('discord-token', '.', String.raw`${START}[MNO]${W}{23,27}\.${W}{6}\.${W}{27,40}(?!${W})`),
  shape('discord-webhook', '/api/webhooks/', String.raw`/api/webhooks/\d{15,22}/${W}{40,100}`),
  shape('teams-webhook', '.webhook.office.com', String.raw`\.webhook\.office\.com/[A-Za-z0-9@/_-]{40,300}`),
  shape('mailgun-key', 'key-', `key-${H}{32}${END}`, true),
  shape('mailchimp-key', '-us', `(?<![0-9a-f])${H}{32}-us\\d{1,2}${END}`),
  shape('digitalocean-token', '_v1_', `do[opr]_v1_${H}{64}`),
  shape('shopify-token', 'shp', `shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32,64}`),
  shape('square-token', 'sq0', `sq0(?:atp|csp|idp)-${W}{22,50}`),
  shape('databricks-token', 'dapi', `dapi${H}{32}(?:-\\d)?${END}`, true),
  shape('grafana-token', ['glsa_', 'glc_'], `(?:glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}|glc_[A-Za-z0-9+/]{32,400}={0,2})`),
  shape('vault-token', ['hvs.', 'hvb.', 'hvr.'], String.raw`hv[sbr]\.${W}{24,300}`),
  shape('terraform-token', '.atlasv1.', String.raw`[A-Za-z0-9]{14}\.atlasv1\.${W}{60,70}`),
  shape('linear-key', 'lin_', `lin_(?:api|oauth|wh)_[A-Za-z0-9]{32,128}`),
  shape('notion-key', 'ntn_', `ntn_[A-Za-z0-9]{40,60}`),
  shape('notion-key', 'secret_', `secret_[A-Za-z0-9]{43}${END}`),
  shape('figma-token', 'fig', `fig[dorus]{1,2}_${W}{36,200}`),
  shape('postman-key', 'PMAK-', `PMAK-${H}{24}-${H}{34}`),
  shape('newrelic-key', 'NR', `NR(?:AK|JS|II|RA|IQ)-[A-Za-z0-9_-]{19,40}`, true),
  shape('sentry-token', 'sntry', `sntry[su]_[A-Za-z0-9+/=_-]{40,400}`),
  shape('doppler-token', 'dp.', String.raw`dp\.(?:pt|st|sa|ct|scim|audit)\.[A-Za-z0-9._-]{40,90}`, true),
  shape('planetscale-token', 'pscale_', `pscale_(?:tkn|pw|oauth)_[A-Za-z0-9=._-]{32,64}`),
  shape('supabase-key', ['sbp_', 'sb_secret_'], `(?:sbp_${H}{40}|sb_secret_${W}{20,60})`),
  shape('fly-token', ['fm1', 'fm2_', 'fo1_'], `(?:fm1[ar]_|fm2_|fo1_)[A-Za-z0-9+/=_-]{40,1000}`),
  shape('airtable-token', 'pat', String.raw`pat[A-Za-z0-9]{14}\.${H}{64}`),
  shape('atlassian-token', ['ATATT3', 'ATCTT3'], `AT[AC]TT3[A-Za-z0-9_=-]{60,250}`),
  shape('bitbucket-token', 'ATBB', `ATBB[A-Za-z0-9]{32}`, true),
  shape('dropbox-token', 'sl.', String.raw`sl\.(?:u\.)?${W}{100,1500}`, true),
  shape('dynatrace-token', 'dt0', String.raw`dt0[a-z]\d{2}\.[A-Z0-9]{24}\.[A-Z0-9]{64}`),
  shape('hubspot-token', 'pat-', `pat-(?:na|eu|ap)\\d-${H}{8}-${H}{4}-${H}{4}-${H}{4}-${H}{12}`),
  shape('groq-key', 'gsk_', `gsk_[A-Za-z0-9]{40,60}`),
  shape('xai-key', 'xai-', `xai-[A-Za-z0-9]{60,100}`),
  shape('perplexity-key', 'pplx-', `pplx-[A-Za-z0-9]{40,64}`),
  shape('replicate-token', 'r8_', `r8_[A-Za-z0-9]{37}${END}`, true),
  shape('elevenlabs-key', 'sk_', `sk_${H}{48}${END}`, true),
  shape('langsmith-key', 'lsv2_', `lsv2_(?:pt|sk)_${H}{32}_${H}{10}`),
  shape('tavily-key', 'tvly-', `tvly-${W}{20,60}`),
  shape('pinecone-key', 'pcsk_', `pcsk_[A-Za-z0-9_]{40,100}`),
  shape('rubygems-key', 'rubygems_', `rubygems_${H}{48}`),
  shape('nuget-key', 'oy2', `oy2[a-z0-9]{43}${END}`, true),
  shape('crates-token', 'cio', `cio[A-Za-z0-9]{32}${END}`, true),
  shape('clojars-token', 'CLOJARS_', `CLOJARS_[0-9a-z]{60}`),
  shape('age-key', 'AGE-SECRET-KEY-', `AGE-SECRET-KEY-1[0-9A-Z]{58}`),
  shape('tailscale-key', 'tskey-', `tskey-[a-z]{2,20}-[0-9A-Za-z_-]{16,110}`),
  shape('onepassword-token', 'ops_ey', `ops_ey[A-Za-z0-9+/=_-]{100,2000}`),
  shape('heroku-key', 'HRKU-', `HRKU-${W}{36,70}`),
  shape('netlify-token', 'nfp_', `nfp_[A-Za-z0-9]{36,60}`),
  shape('vercel-token', ['vcp_', 'vci_', 'vca_', 'vcr_', 'vck_'], `vc[piark]_[A-Za-z0-9]{20,60}`, true),
  shape(
    'cloudflare-token',
    ['cfk_', 'cfut_', 'cfat_', 'v1.0-'],
    `(?:cf(?:k|ut|at)_[A-Za-z0-9]{40}${H}{8}|v1\\.0-${H}{24}-${H}{146})`,
  ),
  shape('contentful-token', 'CFPAT-', `CFPAT-${W}{43}`),
  shape('buildkite-token', 'bk', `bk(?:ua|aj|at|ct|pt|pat)_[A-Za-z0-9]{20,60}${END}`, true),
  shape('pulumi-token', 'pul-', `pul-${H}{40}${END}`, true),
  shape('sourcegraph-token', 'sgp_', `sgp_(?:[A-Za-z0-9-]{1,20}_)?${H}{40}`),
  shape('facebook-token', 'EAA', `EAA[A-Za-z0-9]{90,400}${END}`, true),
  shape('mapbox-token', 'sk.eyJ', String.raw`sk\.eyJ[A-Za-z0-9_-]{20,200}\.${W}{16,60}`),
  shape('artifactory-key', 'AKC', `AKC[pA-Za-z0-9]{60,80}${END}`, true),
  shape('countersign-token', 'csn_', `csn_[a-z]{2,8}_${W}{16,100}`),
  // Anything of RFC 7519 with a signature or without; also the header and payload alone of one that was cut.
  shape(
    'jwt',
    'eyJ',
    String.raw`(?<=^|[^A-Za-z0-9_-]|%[0-9A-Fa-f]{2}|\\[nrt])eyJ${W}{10,}\.(?:eyJ)?${W}{10,}(?:\.${W}*){0,3}`,
  ),
];

/** All that a shape matches, and looks at before it. */
const OF_SHAPE = kindOf(/[\w.+/:~=@%\\-]/);
const SHORTEST_SHAPE = 15;

/** The long words of a text, in which all shapes are: a tenth of most texts. */
function longWords(text: string): Part[] {
  const words: Part[] = [];
  for (let end = 0; ; ) {
    const start = nextRun(text, OF_SHAPE, SHORTEST_SHAPE, end);
    if (start === -1) return words;
    end = endOfRun(text, OF_SHAPE, start + SHORTEST_SHAPE);
    words.push({ start, end });
  }
}

/** Finds the keys of services that have a shape of their own. */
export const tokenShapes: TextRule = function* (text): Generator<Found> {
  const words = new Excerpt(text, longWords(text));
  for (const { type, marks, shape } of SHAPES) {
    if (!marks.some((mark) => words.text.includes(mark))) continue;
    for (const { 0: secret, index } of words.text.matchAll(shape)) {
      yield words.inWhole({ start: index, end: index + secret.length, type });
    }
  }
};
