// The page that asks for the passphrase of the service's keys. Its words go to the desktop over the preload script's bridge.
const WORDS = {
  open: {
    title: 'Open the keys of this workstation',
    explanation:
      "The service's signing key is sealed under a passphrase. Without it the service does not start; nobody can recover it.",
    button: 'Open',
  },
  choose: {
    title: 'Choose a passphrase for the signing key',
    explanation:
      'This system offers no key store that protects anything. The signing key is therefore sealed under a passphrase that you type at each start. Keep it: without it this ledger cannot go on.',
    button: 'Seal the keys',
  },
  export: {
    title: 'Export the keys under a passphrase',
    explanation:
      'The file opens the keys of this data folder on another machine, to whoever has the file, the folder and this passphrase. Carry the passphrase another way than the files.',
    button: 'Export',
  },
};

const element = (id) => document.getElementById(id);
const [passphrase, again, wrong] = ['passphrase', 'again', 'wrong'].map(element);
const button = document.querySelector('button');
const { purpose, submit } = globalThis.countersignPassphrase;

const kind = await purpose();
const words = WORDS[kind];
document.title = words.title;
element('title').textContent = words.title;
element('explanation').textContent = words.explanation;
button.textContent = words.button;
element('repeat').hidden = kind === 'open';
again.required = kind !== 'open';
passphrase.focus();

document.querySelector('form').addEventListener('submit', async (event) => {
  event.preventDefault();
  if (kind !== 'open' && passphrase.value !== again.value) {
    wrong.textContent = 'The two are not the same.';
    again.focus();
    return;
  }
  button.disabled = true;
  wrong.textContent = '';
  try {
    wrong.textContent = (await submit(passphrase.value)) ?? '';
  } catch {
    wrong.textContent = 'That did not work; the log says more.';
  }
  button.disabled = false;
  passphrase.select();
});
