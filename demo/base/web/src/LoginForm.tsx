import { useState, type FormEvent } from "react";

interface Props {
  onSignIn: (email: string, password: string) => Promise<void>;
}

/** Asks for e-mail address and password. */
export function LoginForm({ onSignIn }: Props) {
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");

  async function submit(event: FormEvent) {
    event.preventDefault();
    await onSignIn(email, password);
  }

  return (
    <form onSubmit={submit}>
      <label>
        E-mail
        <input type="email" value={email} onChange={(event) => setEmail(event.target.value)} />
      </label>
      <label>
        Password
        <input type="password" value={password} onChange={(event) => setPassword(event.target.value)} />
      </label>
      <button type="submit">Sign in</button>
    </form>
  );
}
